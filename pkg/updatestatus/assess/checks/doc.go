// Package checks is the table of all health checks: those of standalone clusters (package standalone), with those that each cluster
// has, and then those of hosted clusters (package hosted). docs/updatestatus/insights.md is written from it.
//
// It finds the check of an insight, which has the check's name in its uid (Of).
package checks
