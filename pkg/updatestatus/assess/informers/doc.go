// Package informers has the rules about UpdateInformers, with which others contribute health insights to an update.
//
//	informers.go  which informers are reported: trusted ones first, of others at most 20, in turns by namespace
//	pace.go       how often an informer that is trusted may change what is reported
//	renewal.go    whether an informer is renewed: from three minutes on it is outdated, from fifteen it is withdrawn
//	insight.go    converts an insight of an informer to a health insight
//	trim.go       what is cached of an UpdateInformer
//
// The author of an informer is not known: any namespace may have UpdateInformers, and neither the name of a namespace nor a label proves
// whose they are. So trust is a setting of the administrator (spec.informers of the UpdateStatus). An informer that is not trusted can
// add a few Warnings with its name in front, and nothing else: no Error, no link, no cause of another insight; and what it changes is
// read once a minute, so that it can't make the controller write more often.
package informers
