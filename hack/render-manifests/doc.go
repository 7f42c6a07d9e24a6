// Render-manifests renders manifests/ for an image into another folder, as the Cluster Version Operator does before it applies
// them: its arguments are the folder of the manifests, the image and the other folder. hack/deploy.sh applies the result.
package main
