package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// visit is what to do with a page.
type visit struct {
	// File is the path of the page.
	File string `json:"file"`
	// Width and Height are those of the window, in pixels.
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
	// Dark is whether a dark page is preferred, and Print whether it is one for a printer.
	Dark  bool `json:"dark"`
	Print bool `json:"print"`
	// Evaluate are expressions, whose values are in the findings.
	Evaluate []string `json:"evaluate"`
	// Screenshot is the file for a picture of the whole page, or of the window if Clip is set. PDF is the file for the printed page.
	Screenshot string `json:"screenshot"`
	Clip       bool   `json:"clip"`
	PDF        string `json:"pdf"`
	// Tree is whether the accessibility tree is wanted.
	Tree bool `json:"tree"`
}

// findings are what a browser made of a page.
type findings struct {
	// Requests are the addresses that were requested, that of the page included.
	Requests []string `json:"requests"`
	// Messages are those of the console, and Dialogs the texts of dialogs.
	Messages []string          `json:"messages"`
	Dialogs  []string          `json:"dialogs"`
	Values   []json.RawMessage `json:"values"`
	// Nodes are those of the accessibility tree that are not ignored.
	Nodes []node `json:"nodes"`
}

// node is what a screen reader is told of a part of a page.
type node struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// timeout is how long all visits may take.
const timeout = 5 * time.Minute

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run() error {
	var visits []visit
	if err := json.NewDecoder(os.Stdin).Decode(&visits); err != nil {
		return fmt.Errorf("reading the visits: %w", err)
	}
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		return fmt.Errorf("making a profile: %w", err)
	}
	defer os.RemoveAll(profile)
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(os.Getenv("CHROMIUM")), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, stop := chromedp.NewExecAllocator(ctx, options...)
	defer stop()
	ctx, closeBrowser := chromedp.NewContext(ctx)
	defer closeBrowser()
	if err := chromedp.Run(ctx); err != nil {
		return fmt.Errorf("starting the browser: %w", err)
	}
	all := make([]*findings, 0, len(visits))
	for _, one := range visits {
		found, err := one.do(ctx)
		if err != nil {
			return fmt.Errorf("opening %s: %w", one.File, err)
		}
		all = append(all, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

// do opens the page in a tab of its own.
func (v visit) do(ctx context.Context) (*findings, error) {
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	file, err := filepath.Abs(v.File)
	if err != nil {
		return nil, err
	}
	found := &findings{Requests: []string{}, Messages: []string{}, Dialogs: []string{}}
	watch := &watch{found: found}
	chromedp.ListenTarget(ctx, watch.event)
	media := &emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}}
	if v.Dark {
		media.Features[0].Value = "dark"
	}
	if v.Print {
		media.Media = "print"
	}
	actions := []chromedp.Action{
		network.Enable(), log.Enable(), runtime.Enable(), media,
		chromedp.EmulateViewport(v.Width, v.Height), chromedp.Navigate("file://" + file),
	}
	for _, expression := range v.Evaluate {
		actions = append(actions, chromedp.ActionFunc(func(ctx context.Context) error {
			var value json.RawMessage
			if err := chromedp.Evaluate(expression, &value).Do(ctx); err != nil {
				return err
			}
			found.Values = append(found.Values, value)
			return nil
		}))
	}
	actions = append(actions, chromedp.ActionFunc(func(ctx context.Context) error { return v.save(ctx, found) }))
	if err := chromedp.Run(ctx, actions...); err != nil {
		return nil, err
	}
	watch.lock.Lock()
	defer watch.lock.Unlock()
	return found, nil
}

// save writes the pictures, and reads the accessibility tree.
func (v visit) save(ctx context.Context, found *findings) error {
	if v.Screenshot != "" {
		var picture []byte
		take := chromedp.FullScreenshot(&picture, 100)
		if v.Clip {
			take = chromedp.CaptureScreenshot(&picture)
		}
		if err := take.Do(ctx); err != nil {
			return err
		}
		if err := os.WriteFile(v.Screenshot, picture, 0o644); err != nil {
			return err
		}
	}
	if v.PDF != "" {
		printed, _, err := page.PrintToPDF().WithPrintBackground(false).Do(ctx)
		if err != nil {
			return err
		}
		if err := os.WriteFile(v.PDF, printed, 0o644); err != nil {
			return err
		}
	}
	if !v.Tree {
		return nil
	}
	nodes, err := accessibility.GetFullAXTree().Do(ctx)
	if err != nil {
		return err
	}
	for _, one := range nodes {
		if !one.Ignored {
			found.Nodes = append(found.Nodes, node{text(one.Role), text(one.Name)})
		}
	}
	return nil
}

// text returns a value of the accessibility tree that is a text.
func text(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	var text string
	if err := json.NewDecoder(bytes.NewReader(value.Value)).Decode(&text); err != nil {
		return ""
	}
	return text
}

// watch collects the events of a page. They come while its visit goes on.
type watch struct {
	lock  sync.Mutex
	found *findings
}

func (w *watch) event(event any) {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		w.found.Requests = append(w.found.Requests, event.Request.URL)
	case *log.EventEntryAdded:
		w.found.Messages = append(w.found.Messages, event.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		w.found.Messages = append(w.found.Messages, "console."+string(event.Type))
	case *runtime.EventExceptionThrown:
		w.found.Messages = append(w.found.Messages, event.ExceptionDetails.Text)
	case *page.EventJavascriptDialogOpening:
		w.found.Dialogs = append(w.found.Dialogs, event.Message)
	}
}
