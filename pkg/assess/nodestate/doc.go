// Package nodestate has the rules about what a Node says of itself, in any cluster: whether it is available and degraded, when its drain
// started, and its health. Counts are those of the nodes of a pool, and what they tell about it.
//
// Where the update of a node is depends on the cluster: packages standalone and hosted.
package nodestate
