// Package updateinformer renews the UpdateInformers of the examples: it reads what to report, applies it once a minute, and reports
// nothing that it could not read. See docs/informers.md.
package updateinformer
