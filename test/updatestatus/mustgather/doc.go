// Package mustgather lays out the objects of a cluster as `oc adm must-gather` writes them, to test what reads such folders and
// archives:
//
//	IMAGE/cluster-scoped-resources/GROUP/RESOURCE/NAME.yaml   an object, with apiVersion and kind
//	IMAGE/cluster-scoped-resources/GROUP/RESOURCE.yaml        the list of the same objects, whose items have neither
//	IMAGE/namespaces/NAMESPACE/GROUP/RESOURCE/NAME.yaml       an object of a namespace
//	IMAGE/monitoring/prometheus/rules.json                    the response of Prometheus to GET /api/v1/rules
//	timestamp                                                 the start and the end of gathering
//
// Files returns the files of a layout, Write writes them to a folder, and Archive to a .tar.gz.
package mustgather
