// Package healthcases runs cases of health checks, for the tests of the packages below pkg/updatestatus/assess, and compares docs/updatestatus/insights.md with
// the rows of the checks and the results of their cases.
package healthcases
