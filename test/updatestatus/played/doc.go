// Package played plays updates through the rules alone: the objects of test/updatestatus/simulator, assessed, merged and built into one status
// after the other, with no API server, no controller and no clock. A test of a rule about whole updates starts here.
package played
