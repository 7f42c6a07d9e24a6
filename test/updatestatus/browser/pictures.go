package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

// save writes the pictures.
func (v visit) save(ctx context.Context) error {
	if v.Screenshot != "" {
		take, encode := chromedp.FullScreenshot(100), asItIs
		if v.Clip {
			take, encode = chromedp.CaptureScreenshot(), withFewColors
		}
		if err := write(ctx, v.Screenshot, take, encode); err != nil {
			return err
		}
	}
	if v.PDF != "" {
		return write(ctx, v.PDF, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)), asItIs)
	}
	return nil
}

func write(ctx context.Context, file string, take chromedp.Action[[]byte], encode func([]byte) ([]byte, error)) error {
	picture, err := chromedp.Run(ctx, take)
	if err != nil {
		return err
	}
	if picture, err = encode(picture); err != nil {
		return err
	}
	return os.WriteFile(file, picture, 0o644)
}

func asItIs(picture []byte) ([]byte, error) {
	return picture, nil
}

// maxColors is how many colors the palette of a PNG has.
const maxColors = 256

// withFewColors returns a picture in its most frequent colors, which makes it a third as large. Only edges of letters look different.
func withFewColors(picture []byte) ([]byte, error) {
	read, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	bounds, counts := read.Bounds(), map[color.Color]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[read.At(x, y)]++
		}
	}
	palette := color.Palette(slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int {
		return cmp.Or(-cmp.Compare(counts[a], counts[b]), strings.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	}))
	small := image.NewPaletted(bounds, palette[:min(len(palette), maxColors)])
	draw.Draw(small, bounds, read, bounds.Min, draw.Src)
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, small); err != nil {
		return nil, err
	}
	return encoded.Bytes(), nil
}
