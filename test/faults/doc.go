// Package faults plays updates while the controller, the API server or the network between them fails, and checks that nothing
// is lost, wrong or leaked: docs/reliability.md has the promises.
//
//	proxy.go      a proxy in front of the API server that applies rules to requests
//	rules.go      the rules: error responses, stalls, slow streams, watches that end
//	world.go      a cluster with the controller as a process, and Play
//	update.go     plays an update in real time, with faults
//	check.go      what is checked during and after it
//	process.go    the controller: started, stopped, killed
//	scenarios.go  the faults
//	lease.go, edits.go, permissions.go, crd.go, crdversions.go, outages.go, restore.go, admission.go, throttle.go, token.go, clock.go,
//	nodes.go      larger ones
//	attack.go     the attack of a tenant with UpdateInformers, and what is checked: tenant.go, tenantstatus.go and storage.go have the tenant,
//	              what it writes, and the trusted UpdateInformer that must not suffer; tenantcost.go measures it
//	responses.go  counts the responses to requests
//	soak.go       many scenarios in random order, with one process
//	random.go     random numbers with a seed
//	logs.go       the log of the controller
//	sample.go     the resource usage of a process: memory, goroutines, connections
//
// At the end of a scenario the status is exactly that of a run without faults, at most RecoveryLimit (RepeatedRecoveryLimit, where
// watches failed repeatedly) after the last fault, and no version of the object went back. A seed decides all random numbers; a
// failed test prints it. The tests play a short form of each scenario, make soak the long form.
package faults
