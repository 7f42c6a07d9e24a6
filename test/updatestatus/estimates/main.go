package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	rows, measured := measure(scenarios(), runs), measureRanges(sequences(), sequenceRuns)
	rehearsed := measureRehearsals(shapes(), rehearsedUpdates)
	if err := errors.Join(pageBounds.check(rows, measured), rehearsed.check(rehearsalBounds)); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
	if _, err := os.Stdout.WriteString(page(rows, measured, rehearsed)); err != nil {
		fmt.Fprintln(os.Stderr, "estimates:", err)
		os.Exit(1)
	}
}
