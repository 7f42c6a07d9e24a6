// Finish-crd adds to a CRD of controller-gen the validation that its markers don't support: an insight is a union of exactly the member that
// its type names, of those that a part of the cluster can have, without the fields that its kind omits. It reads the CRD from standard input and writes it to standard output.
// hack/updatestatus/update-crds.sh runs it.
//
// The union is a value validation (oneOf, anyOf, enum) instead of a CEL rule: a rule on every insight of every informer of every pool
// exceeds the API server's cost budget, oneOf costs nothing.
package main
