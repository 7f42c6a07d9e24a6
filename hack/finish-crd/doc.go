// Finish-crd adds validations to the CRD of controller-gen that its markers don't support: that insights and version metadata
// are unions with exactly the member of their discriminator, and which insights a part of the cluster can have. It reads the
// CRD from standard input and writes it to standard output. hack/update-crds.sh runs it.
//
// What only a hosted cluster, or only a standalone one, has is dropped from the CRD of the other.
//
// The unions are value validations (oneOf, anyOf, enum) instead of CEL rules: a rule on every insight of every informer of
// every pool exceeds the API server's cost budget, oneOf costs nothing.
package main
