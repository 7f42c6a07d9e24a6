// Package documents compares pages of docs/ with the code that they tell about.
package documents
