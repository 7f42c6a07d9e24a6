// Package shape has the clusters that are measured: the size of their objects, and the rate at which their nodes change. It is
// pure: a shape and a number of nodes give the script of an update (test/simulator).
//
//	plain       three masters; the other nodes in four pools
//	many-pools  three masters; every other node in a pool of its own
//	one-pool    three masters; all others in one pool
//	health      plain, and 200 nodes fail to update
//	operators   plain, with 100 cluster operators
package shape
