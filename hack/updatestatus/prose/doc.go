// Prose fails when code reads a sentence that the project itself has written: what it knows is in fields, a sentence is for people. It looks
// for functions of package strings that search or cut, and for regular expressions, that are given
//
//   - a summary, description, message, waitingFor or assessment of pkg/apis/update, or the message of a condition,
//   - or a variable that was made of one in the same function.
//
// What a component of the cluster reports (ComponentReport) is no sentence of the project. Packages that read objects of the hosts are left
// out (readers), as is what shows a text: pkg/updatestatus/insight wraps, cleans and shortens any text. hack/updatestatus/verify-prose.sh calls it.
package main
