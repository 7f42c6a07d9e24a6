package main

import (
	"fmt"
	"os"
)

func main() {
	rows, measured := measure(scenarios(), runs), measureRanges(sequences(), sequenceRuns)
	if err := pageBounds.check(rows, measured); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
	if _, err := os.Stdout.WriteString(page(rows, measured)); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
}
