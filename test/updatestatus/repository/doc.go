// Package repository finds the files of the repository from a test or a program of any of its packages. It imports the standard
// library only, so that tests of pure packages can use it.
package repository
