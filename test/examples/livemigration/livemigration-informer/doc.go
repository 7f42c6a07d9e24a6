// Command livemigration-informer reports what test/examples/livemigration describes, once a minute.
package main
