# Both binaries, static, run by a user without privileges. Everything that the build needs is vendored: it works without
# a network. VERSION is a semantic version, for example of `git describe --tags`.
ARG BUILDER=docker.io/library/golang:1.26
ARG BASE=gcr.io/distroless/static-debian12:nonroot

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
USER 65532:65532
ENTRYPOINT ["/usr/bin/cluster-version-operator"]
