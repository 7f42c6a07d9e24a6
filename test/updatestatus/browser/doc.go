// Browser opens pages in a headless Chromium, and writes what it made of them. It reads a list of visits as JSON from its input, and
// writes a list of findings to its output, in the same order. It is a module of its own, so that what drives a browser is not among
// what the binaries use.
package main
