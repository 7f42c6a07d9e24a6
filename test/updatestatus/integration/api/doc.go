// Package api tests the UpdateStatus API on a real API server: that its CRD installs, that every rule of its schema
// refuses what it should and nothing else, and what kubectl makes of it.
//
// The cases are files in testdata:
//
//	objects/NAME.yaml   an UpdateStatus as a whole: accepted, or refused with an error
//	rules/NAME.yaml     rules of the schema: values that are accepted and refused at one place of full.yaml, or at all
//	                    places that look alike
//	full.yaml           an UpdateStatus in which every field is set
//
// Each case with an error names the rules that it hits. A rule of the schema that no case hits fails the tests, as does a
// case for a rule that the schema does not have: who adds a field or a limit adds a case.
package api
