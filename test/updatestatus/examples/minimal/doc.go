// Command minimal renews an UpdateInformer once a minute. docs/updatestatus/informers.md shows its files: main.go, minimal.sh, which does the same
// with oc, rbac.yaml, which allows it, and alert.yaml, which often is enough instead.
package main
