// Package describe writes an UpdateStatus as text for people, the one that administrators know from
// `oc adm upgrade status`. It is a pure function of the object, the moment of looking and the options.
//
// Start reading at Write in describe.go: it is the order of the text. What is shown when:
//
//	text                              when                                                                      file
//	--------------------------------  ------------------------------------------------------------------------  ---------------
//	The cluster is not updating.      Updating of the control plane is False and every worker pool that has     cluster.go
//	                                  nodes is complete, but for nodes that have just joined it and do not tell
//	                                  their version yet; nothing else is shown then. While the controller is
//	                                  not Available, "as far as is known" and what is missing are added.
//	= Control Plane =                 always else: one line when the update of the control plane is complete,   controlplane.go
//	                                  otherwise how it goes. What is not known is said in the Updating
//	                                  condition's own words.
//	Updating Cluster Operators        some operators are updating, with operator details                        operators.go
//	Control Plane Nodes               the control plane has nodes: one line when all of them are updated,       nodes.go
//	                                  otherwise a table. EST is from now on, "?" once it has passed; where it
//	                                  was not seen when the node's phase began, it is for the whole phase
//	= Worker Upgrade =                some worker pool has nodes: all pools, then a table of nodes for each     workers.go
//	                                  pool that has any
//	ESTIMATE FOR                      a worker pool is unfinished and was seen to get on: what each unfinished one,  estimates.go
//	                                  all of them and the whole update still take; N/A and why where it is not known
//	= Update Health =                 always: what needs attention, the worst and newest first, as a table or,  health.go
//	                                  with health details, as blocks; a word that all is well if nothing does,
//	                                  and nothing above says otherwise
//	Note: …                           the controller left something out (InsightsComplete is False), or does    page.go
//	                                  not know all alerts (AlertsComplete is False)
//
// A table of nodes has ten rows without node details. Degraded and unavailable nodes are shown always; the nodes that
// are not shown are counted below the table. Counts of a pool come from its summaries, which are exact even when the
// controller left nodes out.
//
// WriteClusterVersion in clusterversion.go is for clusters without an UpdateStatus: what their ClusterVersion says itself.
//
// The package reads objects of other versions than its own: values that it does not know are shown as they are, insights
// that it does not know are passed over, and whatever is missing is a "?", a "-" or a sentence, never an error.
//
// Texts of the object come from all over the cluster. Each passes clean (text.go) before it is laid out, so that control
// characters and escape sequences neither break a table nor reach a terminal.
package describe
