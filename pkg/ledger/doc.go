// Package ledger holds what each source said last about each subject, and whether the source is complete. It has one
// owner, the collector of the primary controller, and knows no times: those are the business of package status.
package ledger
