package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// rules are which flags exclude or need others. The first one that is broken is the error.
var rules = []rule{
	{flags: []string{"-f"}, excluded: []string{"--must-gather"}, text: "-f and --must-gather can't be used together"},
	{flags: []string{"--watch"}, excluded: []string{"-f", "--must-gather"}, text: "--watch can't be used with -f or --must-gather: files don't change"},
	{flags: []string{"--watch"}, excluded: []string{"--now"}, text: "--watch can't be used with --now"},
	{flags: []string{"--history"}, excluded: []string{"--timeline"}, text: recordText},
	{
		flags: []string{"--history", "--timeline"}, excluded: []string{"-f", "--watch", "--contexts", "--exit-code", "--fail-on", "-o markdown"},
		text: recordText,
	},
	{
		flags: []string{"--hosted-cluster"}, excluded: []string{"--hosted-clusters", "--contexts", "-f"},
		text: "--hosted-cluster can't be used with --hosted-clusters, --contexts or -f",
	},
	{
		flags: []string{"--hosted-clusters"}, excluded: []string{"-f", "--contexts", "--watch", "--history", "--timeline", "-o"},
		text: "--hosted-clusters can't be used with -f, --contexts, --watch, --history, --timeline or -o",
	},
	{
		flags: []string{"--contexts"}, excluded: []string{"-f", "--must-gather", "--watch", "-o"},
		text: "--contexts can't be used with -f, --must-gather, --watch or -o",
	},
	{
		flags:    []string{"--summary"},
		excluded: []string{"--history", "--timeline", "--contexts", "--hosted-clusters", "-o markdown", "--watch without -o"}, text: summaryText,
	},
	{
		flags: []string{"--until"}, excluded: []string{"--history", "--timeline", "--contexts", "--hosted-clusters", "--summary", "--watch with -o", "--wait-for-start", "--classic", "-o markdown"},
		text: "--until can't be used with --history, --timeline, --contexts, --hosted-clusters, --summary, --watch with -o, --wait-for-start, --classic or -o markdown",
	},
	{
		flags: []string{"--for", "--wait-for-start", "--timeout", "--remind"}, needed: "--watch",
		text: "--for, --wait-for-start, --timeout and --remind need --watch",
	},
	{
		flags: []string{"--for=management", "--for=data-plane"}, needed: "--hosted-cluster",
		text: "--for=management and --for=data-plane need --hosted-cluster: only hosted clusters have these two parts",
	},
}

const summaryText = "--summary can't be used with --history, --timeline, --contexts, --hosted-clusters, -o markdown, or --watch without -o"

const recordText = "--history and --timeline can't be used together, nor with -f, --watch, --contexts, --exit-code, --fail-on or -o markdown"

// rule is about some flags: none of them can be used with one that is excluded, nor without the one that is needed.
type rule struct {
	flags    []string
	excluded []string
	// needed is empty if none is.
	needed string
	// text is the error.
	text string
}

func (r rule) isBroken(used map[string]bool) bool {
	isUsed := func(name string) bool { return used[name] }
	if !slices.ContainsFunc(r.flags, isUsed) {
		return false
	}
	return slices.ContainsFunc(r.excluded, isUsed) || r.needed != "" && !used[r.needed]
}

// used returns the flags that rules name, and whether they are set to something else than their default.
func (o *Options) used() map[string]bool {
	return map[string]bool{
		"-f":                 o.Filename != "",
		"--must-gather":      o.MustGather != "",
		"--now":              !o.Now.IsZero(),
		"--summary":          o.Summary,
		"--until":            o.Until != "",
		"--classic":          o.Classic && !o.classicOffTerminal,
		"--watch":            o.Watch,
		"--watch without -o": o.Watch && o.Print.format() == "",
		"--watch with -o":    o.Watch && o.Print.format() != "",
		"--for":              o.For != forAll,
		"--for=management":   o.For == forManagement,
		"--for=data-plane":   o.For == forDataPlane,
		"--wait-for-start":   o.WaitForStart,
		"--timeout":          o.Timeout != 0,
		"--remind":           o.Remind != remindInterval,
		"--fail-on":          o.FailOn != failOnNever,
		"--history":          o.History != "",
		"--timeline":         o.Timeline,
		"--exit-code":        o.ExitCode,
		"--hosted-cluster":   o.HostedCluster != "",
		"--hosted-clusters":  o.HostedClusters,
		"--contexts":         len(o.Contexts) > 0,
		"-o":                 o.Print.format() != "",
		"-o markdown":        o.Print.format() == formatMarkdown,
	}
}

// Validate returns an error for invalid flags.
func (o *Options) Validate() error {
	used := o.used()
	for _, one := range rules {
		if one.isBroken(used) {
			return errors.New(one.text)
		}
	}
	switch {
	case o.Timeout < 0:
		return fmt.Errorf("invalid --timeout %s: must be a time such as 90m, or 0 for none", o.Timeout)
	case o.Remind != 0 && o.Remind < minRemind:
		return fmt.Errorf("invalid --remind %s: must be at least %s, or 0 for never", o.Remind, minRemind)
	}
	for _, one := range []struct {
		flag, value string
		isValid     bool
		values      []string
	}{
		{"--for", o.For, isPart(o.For), forParts()},
		{"--fail-on", o.FailOn, slices.Contains(failOnLevels, o.FailOn), failOnLevels},
		{"--color", o.Color, slices.Contains(colors, o.Color), colors},
		{"--details", o.Details, slices.Contains(detailNames(), o.Details), detailNames()},
	} {
		if !one.isValid {
			return invalidError(one.flag, one.value, one.values)
		}
	}
	return nil
}

// invalidError is the error for a value of a flag that is none of those it takes.
func invalidError(flag, value string, values []string) error {
	return fmt.Errorf("invalid %s %q: must be one of %s%s", flag, value, strings.Join(values, ", "), didYouMean(value, "", values))
}

// noPoolError is the error for a pool that is none of those of the status. The flag is what is before the name of one.
func noPoolError(name, flag string, pools []string) error {
	if len(pools) == 0 {
		return fmt.Errorf("there is no pool %s: no pools are reported", name)
	}
	return fmt.Errorf("there is no pool %s: must be one of %s%s", name, strings.Join(pools, ", "), didYouMean(name, flag, pools))
}
