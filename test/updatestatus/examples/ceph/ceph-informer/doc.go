// Command ceph-informer reports what test/updatestatus/examples/ceph describes, once a minute.
package main
