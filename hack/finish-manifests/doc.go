// Finish-manifests gives every manifest the annotations by which the Cluster Version Operator decides whether a cluster
// gets it (release.go), and fails when a file is not named as a release payload names it (names.go). Its argument is the
// folder with the manifests. hack/update-manifests.sh calls it.
//
// The operator looks at each manifest by itself, so that each must have all of them; here they are in one place, and a
// promotion from one feature set to the next is a change of one line.
package main
