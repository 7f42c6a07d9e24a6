// Package controlplane has the rules about control planes that hold in any cluster.
//
//	Operator   assesses a cluster operator of the payload     Updating   True/Progressing, False/Updated, False/Pending,
//	                                                                     Unknown/CannotDetermine
//	                                                          Healthy    True/AsExpected, False/Unavailable, False/Degraded,
//	                                                                     Unknown/CannotDetermine
//	Operators  counts them, and returns how the update of the control plane as a whole goes
//	Estimate   is when it will be complete, by its history and operators
//
// What the control plane as a whole is assessed from depends on the cluster: packages standalone and hosted.
package controlplane
