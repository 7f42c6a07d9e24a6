package snapshot

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestBombs checks that small files that expand or nest without bounds need little memory, and that nodes that are skipped
// are reported as problems.
func TestBombs(t *testing.T) {
	aliases := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for letter := 'b'; letter <= 'j'; letter++ {
		aliases += fmt.Sprintf("%c: &%c [%s]\n", letter, letter, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", letter-1), 9), ", "))
	}
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
	for name, tc := range map[string]struct {
		content string
		node    bool
	}{
		"aliases":                 {content: node + aliases},
		"a few aliases":           {content: repeatedText(10), node: true},
		"aliases of text":         {content: repeatedText(1 << 13)},
		"alias of itself":         {content: node + "status: &a {conditions: [*a]}\n"},
		"deep lists":              {content: node + "status: " + strings.Repeat("[", 1<<17)},
		"deep maps":               {content: node + "status: " + strings.Repeat("{a: ", 1<<17)},
		"deep JSON":               {content: `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": ` + strings.Repeat(`{"a":`, 1<<17)},
		"deep blocks":             {content: node + deepBlocks(1<<10), node: true},
		"many documents":          {content: strings.Repeat("---\n", 1<<18) + node, node: true},
		"many lists":              {content: "kind: List\nitems:\n" + strings.Repeat("- kind: List\n  items: []\n", 1<<14)},
		"long text":               {content: node + "status: {conditions: [{type: Ready, message: " + strings.Repeat("x", 1<<20) + "}]}\n", node: true},
		"invalid UTF-8":           {content: node + "status: {conditions: [{type: Ready, message: \"\xff\xfe\"}]}\n"},
		"many elements in JSON":   {content: `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"conditions": [` + strings.Repeat("{},", 1<<19) + "{}]}}"},
		"many elements in a line": {content: node + "status: {conditions: [" + strings.Repeat("{},", 1<<19) + "]}\n"},
		"many elements in lines":  {content: node + "status:\n  conditions:\n" + strings.Repeat("  - {}\n", 1<<20)},
		"many elements in CRs":    {content: node + "status:\n  conditions:\r" + strings.Repeat("  - {}\r", 1<<19)},
		"many elements in NELs":   {content: node + "status:\n  conditions:\u0085" + strings.Repeat("  - {}\u0085", 1<<19)},
		"many elements in LSs":    {content: node + "status:\n  conditions:\u2028" + strings.Repeat("  - {}\u2028", 1<<19)},
		"many dashes":             {content: node + "status: \n  " + strings.Repeat("- ", 1<<19)},
		"many items":              {content: `{"apiVersion": "v1", "kind": "NodeList", "items": [` + strings.Repeat("{},", 1<<19) + "{}]} "},
		"many objects":            {content: strings.Repeat("{}\n", 1<<18) + `{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}`, node: true},
		"one long line":           {content: strings.Repeat("a", 2<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := Decode("file", strings.NewReader(tc.content))
			if err != nil {
				t.Fatal(err)
			}
			us := s.Assess(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
			runtime.ReadMemStats(&after)
			if got := len(s.Nodes) > 0; got != tc.node {
				t.Errorf("a node was read: %t; problems %.300v", got, s.Problems)
			}
			if !tc.node && len(s.Problems) == 0 && strings.Contains(tc.content, "kind: Node") {
				t.Error("a node was skipped without a problem")
			}
			if us == nil {
				t.Error("no UpdateStatus")
			}
			if allocated, limit := after.TotalAlloc-before.TotalAlloc, uint64(256<<20); allocated > limit {
				t.Errorf("%d MiB were allocated for %d KiB", allocated>>20, len(tc.content)>>10)
			} else {
				t.Logf("%d MiB were allocated for %d KiB", allocated>>20, len(tc.content)>>10)
			}
		})
	}
}

// repeatedText returns a node with conditions that have aliases of the same long text.
func repeatedText(times int) string {
	return "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {conditions: [{type: Ready, message: &a \"" +
		strings.Repeat("x", 1<<16) + "\"}, " + strings.Repeat("{type: Ready, message: *a}, ", times) + "]}\n"
}

// deepBlocks returns nested maps in block style.
func deepBlocks(depth int) string {
	var text strings.Builder
	for i := range depth {
		text.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return text.String()
}

// TestMemoryOfMachineConfigs checks that reading large MachineConfigs needs little more memory than their file.
func TestMemoryOfMachineConfigs(t *testing.T) {
	const size, count = 1 << 18, 16
	var list strings.Builder
	list.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for at := range count {
		fmt.Fprintf(&list, "- apiVersion: machineconfiguration.openshift.io/v1\n  kind: MachineConfig\n  metadata:\n    name: mc-%d\n  spec:\n", at)
		list.WriteString(strings.Repeat("    - key: value\n", size/17))
	}
	file := filepath.Join(write(t, map[string]string{"mc.yaml": list.String()}), "mc.yaml")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := load(t, file)
	runtime.ReadMemStats(&after)
	if len(s.MachineConfigs) != count {
		t.Errorf("got %d MachineConfigs, want %d", len(s.MachineConfigs), count)
	}
	if allocated, limit := after.TotalAlloc-before.TotalAlloc, uint64(4*list.Len()); allocated > limit {
		t.Errorf("%d KiB were allocated for a file of %d KiB", allocated>>10, list.Len()>>10)
	}
}
