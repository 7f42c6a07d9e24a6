// Package gitops checks what tools for GitOps make of the summary of an update: each example of docs/updatestatus/gitops.md is executed by the library
// of its tool, on the summaries of played updates as an API server stores them. It is a module of its own, so that these libraries are
// not among what the binaries use; hack/updatestatus/test-module.sh runs it.
//
//	scenes_test.go     the updates, and their summaries
//	page_test.go       the examples and the table of docs/updatestatus/gitops.md
//	tools_test.go      the table: what each tool makes of each update
//	kstatus_test.go    cli-utils
//	flux_test.go       Flux
//	argocd_test.go     Argo CD
//	terraform_test.go  Terraform
//
// The commands of kubectl run in test/updatestatus/integration/api, on an API server.
package gitops
