// Package fakeapi serves the objects of a fake clientset of update.openshift.io to clients that send their own requests, so that its
// reactors, its record of actions and its tracker can be used in their tests.
package fakeapi
