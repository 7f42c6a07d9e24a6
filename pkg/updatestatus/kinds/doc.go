// Package kinds has the table of the kinds of objects that are read: what is watched, read once, found in files and gathered, and with which
// permissions. Everything that reads objects derives from it, and tests compare the roles in manifests/ and the tables in docs/ with it.
//
// A new kind is one entry. What an assessment does with its objects is elsewhere.
package kinds
