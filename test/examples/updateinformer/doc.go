// Package updateinformer renews the UpdateInformer of the example: it reads what to report, applies it once a minute, and reports
// nothing that it could not read. See docs/informers.md.
package updateinformer
