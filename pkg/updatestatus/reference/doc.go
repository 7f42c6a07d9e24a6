// Package reference has the links that the product prints: the pages about what is reported in an insight. A link stands here and
// nowhere else (test/updatestatus/documents).
//
//	reference.go the links
//	classic.go   those that `oc adm upgrade status` prints instead
package reference
