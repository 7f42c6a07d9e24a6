// Package checks is the table of all health checks: those of standalone clusters (package standalone), with those that each cluster
// has, and then those of hosted clusters (package hosted). docs/insights.md is written from it.
//
// Of an insight, which has the name of its check in its uid, it returns what the row says: the commands that help (NextSteps).
package checks
