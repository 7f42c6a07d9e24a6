// Package alerts is the informer controller that reads the alerts that fire while the cluster is updated, and reports those
// that matter to the update.
//
//	informer.go  the controller: level driven, knows only whether the cluster is updated
//	querier.go   asks the cluster's Thanos querier, and says in steady words why there is no answer
//	answer.go    an answer → alerts; it may be of any size and hold anything
//
// Nothing can be watched here: the controller asks every 30 seconds while the update goes on, that of the workers included,
// and never otherwise. Whether it does is what the other sources report: the controller listens to their messages (Listen)
// on their way to the primary controller. When the update ends, one message takes back what was said of alerts.
//
// A cluster may have no monitoring, or one that refuses: then nothing is said of alerts, and the condition AlertsComplete
// says why. It holds up nobody. What was read last stays for five minutes, and is taken back then, since it may be wrong by
// now; so is what a controller before this one has said. There is no other back-off: the next attempt is the next look.
//
// It holds no rules: those are in package assess.
package alerts
