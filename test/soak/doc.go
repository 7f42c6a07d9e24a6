// Soak lets the built controller live through updates in which something goes wrong, for as long as one likes (make soak),
// and prints what it holds after each. It ends with status 1 if anything was wrong, or has grown.
package main
