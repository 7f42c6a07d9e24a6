// Package field holds updates from life: reports of administrators whose update of OpenShift or OKD hung, or seemed to, and what the
// first lines of the client have to say about each.
//
//	testdata/operators     the operators of every cluster, in the order in which they are updated, with their namespaces
//	testdata/base.yaml     a template of the cluster that each case changes
//	testdata/NN-name/      a case; those from 90 were harmless
//	  cluster              how far the update was (base.go)
//	  files/               the objects that were reported, laid over those of the base: fields replace fields, conditions and other lists
//	                       whose items have a type or a name are merged by it, null removes a field
//	  now                  when help was asked for
//	  about                the address of the report, what was pasted there (R:), the cause, what ended it, who writes the texts, and
//	                       last what `oc adm upgrade` said
//	  expect               regular expressions, a line each: one of the first 12 lines matches it, whatever its case; with ! no line does
//
// Conditions, messages and durations are those that were reported. Names of nodes, domains and companies are not, and what was not
// reported is that of a healthy cluster. A case without the file cluster has all its objects in files, like those of ../shared/field,
// which are run as well where that folder is beside the repository.
package field
