// Package causes finds which health insight causes which: it reports one cause instead of nine alerts.
//
//	edges.go         the table: what can cause what, and what proves it
//	edges_hosted.go  the same for what only hosted clusters have
//	find.go          Find goes through the table
//	passing.go       what passes by itself
//	facts.go         what the insights say, by object
//	names.go         the objects that a message names
//	tree.go          Tree: causes with their consequences, and what is the same about several objects as one group
//	group.go         the text of a group
//
// A cause is told only where an object of the cluster names the other, or both are about one object or a part of it. It is as serious as the worst of what it causes,
// and nothing causes itself, not even through others. Nothing is dropped: a consequence stays an insight of its own.
package causes
