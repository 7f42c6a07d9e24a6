package main

import (
	"fmt"
	"os"
)

func main() {
	if _, err := os.Stdout.WriteString(page(measure(scenarios()), measureRanges(sequences()))); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
}
