// Package describe writes an UpdateStatus as text. The text depends on the object, the current time and the options only.
//
// Start reading at Write in describe.go. There are two texts. The first is for people; its parts are:
//
//	part                   when                                                                                 file
//	---------------------  -----------------------------------------------------------------------------------  -----------
//	Outdated: …    what is known keeps the status from being trusted, or something is missing           notices.go
//	the title              always: what the cluster is doing, since when                                        title.go
//	Attention, Health      there are problems: the worst three, with what to do; otherwise how the update goes  head.go
//	As of, Waiting for, …  known values; all but the first while an update is in progress                       head.go
//	POOL                   some worker pool has nodes                                                           whole.go
//	ESTIMATE FOR           nodes of a worker pool have been updating, and several parts are not complete        estimates.go
//	NODE                   nodes are not updated or need attention; with node details all                       whole.go
//	= Update Health =      with health details                                                                  causes.go
//	the head again         the text is longer than the terminal                                                 describe.go
//
// Rows of its tables that are alike are one, and those after the tenth are counted, see compact.go. The second is the classic one, that of
// `oc adm upgrade status`:
//
//	text                        when                                                                            file
//	--------------------------  ------------------------------------------------------------------------------  ---------------
//	Outdated: …         what is known keeps the status from being trusted, or something is missing      notices.go
//	The cluster is not          Updating of the control plane is False and every worker pool with nodes is      describe.go
//	updating.                   complete, not counting nodes that joined it just now; nothing else is shown
//	                            then
//	= Control Plane =           in all other cases: one line when the update of the control plane is complete,  controlplane.go
//	                            otherwise its progress, or the message of the Updating condition where that is
//	                            Unknown
//	Updating Cluster Operators  some operators are updating, with operator details                              operators.go
//	Control Plane Nodes         the control plane has nodes: one line when all of them are updated, otherwise   nodes.go
//	                            a table. EST is the time that remains, "?" once it has passed; for a node
//	                            whose phase has no start time it is the time for the whole phase. The first
//	                            form has "overdue by 5m" and "<10m" for these
//	= Worker Upgrade =          some worker pool has nodes: all pools, then a table of nodes for each pool      workers.go
//	                            that has any
//	= Update Health =           always: the health insights, most severe and newest first, as a table or, with  health.go
//	                            health details, as blocks; one row that sums up the update if there are none
//	Note: …                     the controller left insights of a part out (InsightsComplete is False)          nodes.go
//
// A table of its nodes has ten rows without node details. Degraded and unavailable nodes are always shown; the nodes that are not shown are
// counted below the table. Where the controller left nodes out, the counts of a pool come from its summaries.
//
// WriteHistory in history.go writes the records of updates, and WriteTimeline in timeline.go writes one of them over time. OverviewOf
// in overview.go and TablesOf in tables.go return the same words for other forms than text.
//
// The package reads objects of other versions than its own: unknown values are shown as they are, unknown insights are
// ignored, and missing values are a "?", a "-" or a sentence, never an error.
//
// Each text of the object passes clean (text.go) before it is laid out, so that control characters and escape sequences
// neither break a table nor reach a terminal.
package describe
