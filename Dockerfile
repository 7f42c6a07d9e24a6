# Both binaries, static, run by a user without privileges. Everything that the build needs is vendored: it works without
# a network. BUILDER and BASE are the Go builder and the RHEL base image of a release; the defaults are public. VERSION is
# a semantic version, for example of `git describe --tags`.
ARG BUILDER=docker.io/library/golang:1.26
ARG BASE=registry.access.redhat.com/ubi9/ubi-micro:latest

FROM ${BUILDER} AS builder
WORKDIR /go/src/github.com/openshift/cluster-version-operator
COPY Makefile go.mod go.sum ./
COPY cmd cmd
COPY pkg pkg
COPY vendor vendor
ARG VERSION=v0.0.0-unknown
RUN GOTOOLCHAIN=local make build VERSION="${VERSION}"

FROM ${BASE}
COPY --from=builder /go/src/github.com/openshift/cluster-version-operator/bin/ /usr/bin/
# Where the builder of a release payload looks for what the Cluster Version Operator is to apply.
COPY manifests /manifests
LABEL io.openshift.release.operator=true \
      io.k8s.display-name="Update Status Controller" \
      io.k8s.description="Keeps UpdateStatus/cluster: how far the update of the cluster is, and what needs attention"
USER 65532:65532
ENTRYPOINT ["/usr/bin/cluster-version-operator"]
