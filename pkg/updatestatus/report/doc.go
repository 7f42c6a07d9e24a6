// Package report makes a report of an update: one HTML file that needs no script, and loads nothing from anywhere.
//
//	page.go    New: what the report says, in its order
//	chart.go   the timeline: its axis, groups of lanes, and marks
//	lane.go    a lane as shares of the axis, and the same as text
//	area.go    a large pool: how many of its nodes were in which phase
//	tables.go  everything below each other
//	write.go   Write: the page in page.html with style.css
//
// What it says of an update are the words of pkg/updatestatus/describe, and what it draws is the timeline of pkg/updatestatus/timeline. A text from the cluster
// is only ever text: html/template escapes it where it stands, and the policy of the page forbids scripts and requests besides.
//
// Lanes are SVG with positions in percent of their width. They fit any width, and their text stays as large as the rest.
package report
