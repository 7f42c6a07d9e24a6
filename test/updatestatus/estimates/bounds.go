package main

import (
	"errors"
	"fmt"
	"slices"
)

// bounds of what was measured, as shares of 1.
type bounds struct {
	// covered is how many updates end within their range at least, at each of the moments, and width how wide a range is at most
	// after a quarter of the time of an update, in proportion to what is left.
	covered, width float64
	// pool is the largest median error of a pool that is not small, when a quarter of its nodes is done, and together that of all.
	pool, together float64
}

// pageBounds are those of the page.
var pageBounds = bounds{covered: 0.8, width: 0.45, pool: 0.2, together: 0.2}

const (
	quarter = 25
	// largePool is the number of nodes from which on the error of a pool is bounded.
	largePool = 30
)

// check returns which bounds are broken.
func (b bounds) check(rows []row, measured *measuredRanges) error {
	return errors.Join(b.checkErrors(rows), b.checkRanges(measured))
}

func (b bounds) checkErrors(rows []row) error {
	var broken []error
	at := slices.Index(shares, quarter)
	if got := quantile(together(rows).errors[at], 0.5); !(got < b.together) {
		broken = append(broken, fmt.Errorf("over all pools the median error at %d %% is %.3f, not below %v", quarter, got, b.together))
	}
	for _, one := range rows {
		if got := quantile(one.errors[at], 0.5); one.Nodes >= largePool && !(got < b.pool) {
			broken = append(broken, fmt.Errorf("%s, %d nodes, %d at a time: the median error at %d %% is %.3f, not below %v",
				one.Times.Name, one.Nodes, one.MaxUnavailable, quarter, got, b.pool))
		}
	}
	return errors.Join(broken...)
}

func (b bounds) checkRanges(measured *measuredRanges) error {
	var broken []error
	for at, share := range moments {
		covered, count := measured.first.covered[at]+measured.later.covered[at], measured.first.count[at]+measured.later.count[at]
		if got := float64(covered) / float64(count); !(got >= b.covered) {
			broken = append(broken, fmt.Errorf("at %d %% the ranges of %.0f %% of %d updates cover the end", share, 100*got, count))
		}
	}
	at := slices.Index(moments, quarter)
	if got := measured.later.width(at); !(got < b.width) {
		broken = append(broken, fmt.Errorf("at %d %%, with records, a range is %.0f %% of what is left", quarter, 100*got))
	}
	return errors.Join(broken...)
}
