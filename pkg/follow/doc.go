// Package follow runs a library-go controller that follows the primary one: it is notified when a status was built, and writes an
// object that is made of it. A write that fails is tried again, and logged once; the end of the process does not cut one off, and
// the last status is written at the end.
package follow
