package main

import (
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
	// Scale is how large a pixel of the page is in a picture; 1 by default.
	Scale float64 `json:"scale"`
	// Dark is whether a dark page is preferred, and Print whether it is one for a printer.
	Dark  bool `json:"dark"`
	Print bool `json:"print"`
	// Evaluate are expressions, whose values are in the findings.
	Evaluate []string `json:"evaluate"`
	// Screenshot is the file for a picture of the whole page. If Clip is set, it is one of the window with few colors, small enough
	// for a document. PDF is the file for the printed page.
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

// node is a node of the accessibility tree, which screen readers read.
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
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, closeBrowser := chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	defer closeBrowser()
	if err := chromedp.Do(ctx); err != nil {
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
	w := &watch{ctx: ctx, findings: &findings{Requests: []string{}, Messages: []string{}, Dialogs: []string{}}}
	if err := chromedp.Listen(ctx, w.event); err != nil {
		return nil, err
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}}
	if v.Dark {
		media.Features[0].Value = "dark"
	}
	if v.Print {
		media.Media = "print"
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media); err != nil {
		return nil, err
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(v.Width, v.Height, chromedp.EmulateScale(max(v.Scale, 0))), chromedp.Navigate("file://"+file)); err != nil {
		return nil, err
	}
	var values []json.RawMessage
	for _, expression := range v.Evaluate {
		value, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression))
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	if err := v.save(ctx); err != nil {
		return nil, err
	}
	var nodes []node
	if v.Tree {
		if nodes, err = tree(ctx); err != nil {
			return nil, err
		}
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.findings.Values, w.findings.Nodes = values, nodes
	return w.findings, nil
}

// tree returns the accessibility tree.
func tree(ctx context.Context) ([]node, error) {
	read, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		return nil, err
	}
	var nodes []node
	for _, one := range read.Nodes {
		if !one.Ignored {
			nodes = append(nodes, node{text(one.Role), text(one.Name)})
		}
	}
	return nodes, nil
}

// text returns a value of the accessibility tree that is a text.
func text(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	var text string
	if err := json.Unmarshal(value.Value, &text); err != nil {
		return ""
	}
	return text
}

// watch collects the events of a page. They come while its visit goes on.
type watch struct {
	ctx      context.Context
	lock     sync.Mutex
	findings *findings
}

func (w *watch) event(event any) {
	w.lock.Lock()
	defer w.lock.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		w.findings.Requests = append(w.findings.Requests, event.Request.URL)
	case *log.EventEntryAdded:
		w.findings.Messages = append(w.findings.Messages, event.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		w.findings.Messages = append(w.findings.Messages, "console."+string(event.Type))
	case *runtime.EventExceptionThrown:
		w.findings.Messages = append(w.findings.Messages, event.ExceptionDetails.Text)
	case *page.EventJavascriptDialogOpening:
		w.findings.Dialogs = append(w.findings.Dialogs, event.Message)
		// A page waits until its dialog is closed, and no command may be run within an event.
		go chromedp.Call(w.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
	}
}
