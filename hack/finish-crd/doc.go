// Finish-crd adds to the CRD that controller-gen has made what its markers can't say: that an insight, and an item of
// version metadata, is a union of exactly the member that its discriminator names, and which insights a part of the
// cluster may hold. It reads the CRD on standard input and writes it to standard output; hack/update-crds.sh calls it.
//
// The unions are value validations (oneOf, anyOf, enum) and no CEL rules: a rule on every insight of every informer of
// every pool passes the API server's cost budget, oneOf is free.
package main
