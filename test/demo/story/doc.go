// Package story tells which moments of an update are worth a look, and whether the update is over. It is pure: versions of
// the UpdateStatus go in, headlines come out, such as an administrator who watches would use.
//
// Start reading at milestones in milestones.go: it is the list of all headlines, besides those of what needs attention
// (health insights of level Warning and worse), which come and go.
package story
