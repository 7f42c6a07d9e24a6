// Package slim reads objects from an API server without the parts that nobody needs.
//
// A Node has 10 KB and more, most of them its images and managedFields, and arrives again with each of its heartbeats. A
// cache.TransformFunc drops what is not needed, but only after all of it has been decoded: on a large cluster that was a
// third of what the controller allocates. Here it is dropped from the protobuf message, whose fields can be passed over
// without reading them, and what is left is decoded as ever. A watch that brings the same of an object again, as with a
// heartbeat, brings a bookmark instead, which costs nothing further on.
//
//	codecs.go   serializers for a client, which drop what is not kept before they decode
//	repeats.go  what of a watch is a bookmark instead
//	message.go  a protobuf message without some of its fields
//	paths.go    which fields of a message these are, from paths as in JSON
//
// What is not protobuf, or not of the kind, passes as it is. A message that can't be read does too: what decodes it says what
// is wrong with it.
package slim
