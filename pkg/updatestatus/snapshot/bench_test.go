package snapshot

import (
	"strings"
	"testing"
)

// BenchmarkJSON reads many small objects: it takes twice as long for twice as many.
func BenchmarkJSON(b *testing.B) {
	for name, number := range map[string]int{"2 MB": 1 << 20, "4 MB": 1 << 21} {
		content := strings.Repeat("{}", number) + `{"kind": "Node", "apiVersion": "v1"}`
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Decode("file", strings.NewReader(content)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
