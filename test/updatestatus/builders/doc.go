// Package builders returns objects of a cluster for tests. Each function takes the object's name and
// options that change it; without options an object is what a healthy cluster at rest has:
//
//	builders.ClusterVersion(builders.Completed("4.20.1", installed, done), builders.Partial("4.20.2", started))
//	builders.ClusterOperator("etcd", builders.OperatorVersion("4.20.1"))
//	builders.MachineConfigPool("worker", builders.Paused())
//	builders.MachineConfig("rendered-worker-1", "4.20.1")
//	builders.Pod("shop", "web-0", builders.OnNode("a"))
//	builders.Node("a", builders.Role("worker"), builders.Configs("rendered-worker-1", "rendered-worker-2"))
//
// An option is a function on the object, so a test that needs something rare passes a function of its own.
//
//	fleet.go      whole clusters of any size and shape, always the same for the same Fleet
//	hostile_*.go  clusters that no healthy component writes but an API server accepts (texts of any length and alphabet,
//	              names of 253 characters, missing and repeated conditions, times of any age, invalid versions), drawn for
//	              property tests and fuzzing (rapid.MakeFuzz)
//
// The package imports API types only, so that the tests of pure packages may use it.
package builders
