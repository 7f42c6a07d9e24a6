package report

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// simulations are how people with a color vision deficiency see linear RGB (Machado, Oliveira and Fernandes, 2009, severity 1.0).
var simulations = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// leastDifference is how far apart two colors are at least (CIE76). 2.3 is just noticeable.
const leastDifference = 25

// leastContrast is that of WCAG 2.2 for graphics (1.4.11).
const leastContrast = 3

// TestPhasesAreToldApart checks that people with any color vision tell the phases apart, and from the page, in both themes.
func TestPhasesAreToldApart(t *testing.T) {
	t.Parallel()
	for theme, colors := range themes(t) {
		names := []string{"page", "draining", "updating", "rebooting", "completed"}
		for sight, matrix := range simulations {
			for at, one := range names {
				for _, other := range names[:at] {
					if got := difference(seen(colors[one], matrix), seen(colors[other], matrix)); got < leastDifference {
						t.Errorf("%s, %s: %s and %s differ by %.1f", theme, sight, one, other, got)
					}
				}
			}
		}
		for _, one := range append(names[1:], "running", "error", "warning", "info", "unknown") {
			if got := contrast(colors[one], colors["page"]); got < leastContrast {
				t.Errorf("%s: the contrast of %s and the page is %.2f", theme, one, got)
			}
		}
	}
}

// TestColorMath checks the arithmetic with known values.
func TestColorMath(t *testing.T) {
	t.Parallel()
	white, black, red := rgb{1, 1, 1}, rgb{0, 0, 0}, rgb{1, 0, 0}
	for name, got := range map[string]float64{
		"contrast of black and white": contrast(white, black) - 21, "difference of black and white": difference(white, black) - 100,
		"difference of red and white": difference(red, white) - 114.5,
	} {
		if math.Abs(got) > 0.2 {
			t.Errorf("%s is off by %v", name, got)
		}
	}
	gray := seen(red, simulations["protanopia"])
	if gray[0] > 0.2 {
		t.Errorf("with protanopia red is %v", gray)
	}
}

// rgb is a color in linear RGB.
type rgb [3]float64

// themes returns the colors of the style by name, those of the light and of the dark theme.
func themes(t *testing.T) map[string]map[string]rgb {
	t.Helper()
	light, dark, found := strings.Cut(styleCSS, "prefers-color-scheme: dark")
	if !found {
		t.Fatal("no dark theme")
	}
	return map[string]map[string]rgb{"light": colorsIn(t, light), "dark": colorsIn(t, dark)}
}

var variable = regexp.MustCompile(`--([a-z]+): #([0-9a-f]{6});`)

func colorsIn(t *testing.T, style string) map[string]rgb {
	t.Helper()
	colors := map[string]rgb{}
	for _, match := range variable.FindAllStringSubmatch(style, -1) {
		var color rgb
		for part := range color {
			value, err := strconv.ParseUint(match[2][2*part:2*part+2], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			color[part] = linear(float64(value) / 255)
		}
		colors[match[1]] = color
	}
	if len(colors) < 14 {
		t.Fatal(fmt.Sprint("few colors: ", colors))
	}
	return colors
}

func linear(part float64) float64 {
	if part <= 0.04045 {
		return part / 12.92
	}
	return math.Pow((part+0.055)/1.055, 2.4)
}

// seen returns a color as a deficiency shows it.
func seen(color rgb, matrix [3][3]float64) rgb {
	var result rgb
	for row := range matrix {
		for column := range color {
			result[row] += matrix[row][column] * color[column]
		}
		result[row] = min(max(result[row], 0), 1)
	}
	return result
}

// contrast returns the contrast of two colors by WCAG.
func contrast(a, b rgb) float64 {
	luminance := func(color rgb) float64 { return 0.2126*color[0] + 0.7152*color[1] + 0.0722*color[2] }
	return (max(luminance(a), luminance(b)) + 0.05) / (min(luminance(a), luminance(b)) + 0.05)
}

// difference returns how far apart two colors are in CIELAB (CIE76).
func difference(a, b rgb) float64 {
	labA, labB := lab(a), lab(b)
	return math.Hypot(math.Hypot(labA[0]-labB[0], labA[1]-labB[1]), labA[2]-labB[2])
}

// lab returns a color in CIELAB, for the white of daylight (D65).
func lab(color rgb) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*color[0] + 0.3575761*color[1] + 0.1804375*color[2]) / 0.95047)
	y := f(0.2126729*color[0] + 0.7151522*color[1] + 0.0721750*color[2])
	z := f((0.0193339*color[0] + 0.1191920*color[1] + 0.9503041*color[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
