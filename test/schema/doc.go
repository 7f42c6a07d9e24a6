// Package schema validates objects as an API server does that has the CRD of manifests/: by its schema, its CEL rules and
// its lists that are maps, without a server. Property tests validate thousands of objects with it; that the server agrees
// is shown in test/integration/api.
package schema
