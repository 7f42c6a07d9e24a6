// Command ceph-informer reports what test/examples/ceph describes, once a minute.
package main
