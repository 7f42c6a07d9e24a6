// Package schema validates an object by the CRD of manifests/ as an API server does (schema, CEL rules, lists that are maps),
// without a server; test/updatestatus/integration/api shows that a real server agrees. Its tests validate what is built of clusters of all
// kinds. They are here, and not in pkg/updatestatus/status, since the tests of pure packages import no API server.
package schema
