#!/usr/bin/env bash
# Packs the binaries DIR/OS-ARCH/oc-update-status[.exe] for krew: krew.sh DIR URL VERSION. Writes an archive for each platform into
# DIR, and the manifests of the plugins openshift-update-status, -report and -rehearse, which find the archives below URL.
. "$(dirname "${BASH_SOURCE[0]}")/init.sh"

directory=${1:?the directory of the binaries}
url=${2:?the URL that the archives will have}
version=${3:?the version of the binaries}

platforms=""
for folder in "${directory}"/*-*/; do
	platform=$(basename "${folder}")
	binary=$(basename "${folder}"/oc-update-status*)
	archive="update-status-${platform}.tar.gz"
	cp LICENSE "${folder}"
	# The same bytes for the same commit.
	tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0755 --directory "${folder}" . |
		gzip --no-name --best >"${directory}/${archive}"
	rm -r "${folder}"
	platforms+="
  - selector:
      matchLabels: {os: ${platform%-*}, arch: ${platform#*-}}
    uri: ${url%/}/${archive}
    sha256: $(sha256sum "${directory}/${archive}" | cut -d ' ' -f 1)
    bin: ./${binary}"
done

# write NAME SHORT DESCRIPTION writes the manifest of a plugin. Names begin with that of the vendor, as krew's naming guide asks.
write() {
	cat >"${directory}/$1.yaml" <<EOF
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: $1
spec:
  version: ${version}
  homepage: https://github.com/openshift/cluster-version-operator
  shortDescription: $2
  description: |
    $3
  platforms:${platforms}
EOF
}

write openshift-update-status "Show how far an OpenShift update is" \
	"Shows how far the update of an OpenShift cluster is, what it waits for, when it will be complete, and what needs attention."
write openshift-update-report "Write a report of an OpenShift update" \
	"Writes one HTML file of all that is known of the update of an OpenShift cluster, to attach to a ticket."
write openshift-update-rehearse "Rehearse an OpenShift update" \
	"Shows how an update of an OpenShift cluster would go: how long it would take, and what would hold it up."
