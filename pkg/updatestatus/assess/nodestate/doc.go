// Package nodestate has the rules about what a Node says of itself, in any cluster: whether it is available and degraded, when its drain
// started, and its health.
//
// Where the update of a node is depends on the cluster: packages standalone and hosted.
package nodestate
