// Soak plays updates with random faults with one process of the built controller (make soak), and prints its resource usage after
// each. Its exit status is 1 if anything was wrong, or has grown.
package main
