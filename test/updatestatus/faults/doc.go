// Package faults plays updates while the controller, the API server or the network between them fails, and checks that nothing
// is lost, wrong or leaked: docs/updatestatus/reliability.md has the promises.
//
//	scenarios.go   the table of faults, by kind
//	world.go       a cluster with the controller as a process, and Play
//	update.go      plays an update, as far ahead of the controller as it may be, with faults
//	check.go       what is checked during and after it
//	process.go     the controller: started, stopped, killed
//	proxy.go       a proxy in front of the API server that applies rules to requests
//	rules.go       the rules: error responses, stalls, slow streams, watches that end
//	outages.go, writes.go, throttle.go, lease.go, edits.go, crd.go, token.go, nodes.go, clock.go
//	               larger faults
//	tenant.go      the attack of a tenant with UpdateInformers on a trusted one; hostile.go has what it writes, tenantcheck.go what is checked
//	soak.go        many scenarios in random order, with one process
//	sample.go      the resource usage of a process: memory, goroutines, connections
//
// At the end of a scenario the status is exactly that of a run without faults, at most RecoveryLimit (RepeatedRecoveryLimit, where
// watches failed repeatedly) after the last fault, and no version of the object went back. A seed decides all random numbers. The tests
// play a short form of the scenarios, make soak the long form.
//
// Limits are times of a quiet machine (package pace), and the cluster waits for the controller: other work on the machine makes a scenario
// slower and changes nothing else.
package faults
