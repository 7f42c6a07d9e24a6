# The controller and /usr/bin/gather, for an unprivileged user. All dependencies are vendored, so that the build needs no network.
# /usr/share/cluster-version-operator has the modules of the controller, and how it was built.
# BUILDER and BASE are the Go builder and the RHEL base image of a release; the defaults are public (.github/renovate.json pins
# them by digest). The builder says whether CGO is used. The base has bash and tar, which `oc adm must-gather --image=` needs.
# VERSION is a semantic version, as of `git describe --tags`.
ARG BUILDER=docker.io/library/golang:1.26
ARG BASE=registry.access.redhat.com/ubi9/ubi:latest

FROM ${BUILDER} AS builder
WORKDIR /go/src/github.com/openshift/cluster-version-operator
COPY Makefile go.mod go.sum ./
COPY cmd cmd
COPY pkg pkg
COPY vendor vendor
COPY hack/updatestatus/sbom hack/updatestatus/sbom
ARG BUILDER
ARG VERSION=v0.0.0-unknown
ARG COMMIT=unknown
ARG CGO_ENABLED
ARG GOEXPERIMENT
ARG GOFIPS140
RUN GOTOOLCHAIN=local CGO_ENABLED="${CGO_ENABLED:-$(go env CGO_ENABLED)}" \
    GOEXPERIMENT="${GOEXPERIMENT:-$(go env GOEXPERIMENT)}" GOFIPS140="${GOFIPS140:-$(go env GOFIPS140)}" \
    make sbom VERSION="${VERSION}" COMMIT="${COMMIT}" BUILDER="${BUILDER}"

FROM ${BASE}
COPY --from=builder /go/src/github.com/openshift/cluster-version-operator/bin/cluster-version-operator /usr/bin/
COPY --from=builder /go/src/github.com/openshift/cluster-version-operator/bin/*.json /usr/share/cluster-version-operator/
COPY hack/updatestatus/gather.sh /usr/bin/gather
LABEL io.k8s.display-name="Update Status Controller" \
      io.k8s.description="Maintains UpdateStatus/cluster, the progress of the cluster's update and what needs attention"
USER 65532:65532
ENTRYPOINT ["/usr/bin/cluster-version-operator"]
