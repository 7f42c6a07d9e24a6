// Package shape has the clusters that are measured: the size of their objects, and the rate at which their nodes change. It is
// pure: a shape and a number of nodes give the script of an update (test/updatestatus/simulator). Each has three masters; the other nodes are in four
// pools.
package shape
