package cli

import (
	"errors"
	"fmt"

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

// suggestFlag is a FlagErrorFunc that names the flag that was meant.
func suggestFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, flag.Name)
		}
	})
	return fmt.Errorf("%w%s", err, didYouMean(unknown.GetSpecifiedName(), "--", names))
}

// suggestHistory returns what to write for an argument after a flag whose value is optional.
func suggestHistory(cmd *cobra.Command, argument string) string {
	if history := cmd.Flags().Lookup("history"); history == nil || !history.Changed || history.Value.String() != historyAll {
		return ""
	}
	return "; did you mean --history=" + argument + "?"
}
