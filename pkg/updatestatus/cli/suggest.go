package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mistyped returns how many letters may be wrong in a word that is taken for a name.
func mistyped(word string) int {
	return min(2, len(word)/3)
}

// didYouMean returns the end of an error about a word that is none of some names: the name that it may stand for, empty if none is close.
func didYouMean(word, prefix string, names []string) string {
	near := &cobra.Command{SuggestionsMinimumDistance: mistyped(word)}
	for _, name := range names {
		near.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	if found := near.SuggestionsFor(word); word != "" && len(found) > 0 {
		return "; did you mean " + prefix + found[0] + "?"
	}
	return ""
}

// suggestFlag is a FlagErrorFunc that names the flag, or the command, that was meant.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	// A flag with one dash is read as its letters, up to the first that is no flag.
	letters, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
	word := cmp.Or(letters, unknown.GetSpecifiedName())
	return fmt.Errorf("%w%s", err, cmp.Or(didYouMean(word, "--", flagNames(cmd)), suggestCommand(cmd, word)))
}

// flagNames returns the names of the flags of a command.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	return names
}

// suggestCommand returns the end of an error about a word that may stand for another command: a subcommand, or the one beside it that
// writes a report.
func suggestCommand(cmd *cobra.Command, word string) string {
	path := strings.Fields(cmd.CommandPath())
	if last := len(path) - 1; path[last] == "status" && word == "report" {
		return "; did you mean " + strings.Join(append(path[:last], word), " ") + "?"
	}
	var names []string
	for _, one := range cmd.Commands() {
		names = append(names, one.Name())
	}
	return didYouMean(word, strings.Join(path, " ")+" ", names)
}

// suggestHistory returns what to write for an argument after a flag whose value is optional.
func suggestHistory(cmd *cobra.Command, argument string) string {
	if history := cmd.Flags().Lookup("history"); history == nil || !history.Changed || history.Value.String() != historyAll {
		return ""
	}
	return "; did you mean --history=" + argument + "?"
}

// suggestDashes returns what to write for an argument that is a flag without its dashes.
func suggestDashes(cmd *cobra.Command, argument string) string {
	if name, _, _ := strings.Cut(argument, "="); slices.Contains(flagNames(cmd), name) {
		return "; did you mean --" + argument + "?"
	}
	return ""
}
