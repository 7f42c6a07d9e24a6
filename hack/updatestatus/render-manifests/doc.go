// Render-manifests renders manifests for an image into another folder, as the Cluster Version Operator does before it applies
// them: its arguments are the image, the other folder and the manifests. hack/updatestatus/deploy.sh applies the result.
package main
