# The targets for developers and CI. `make` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -o errexit -o nounset -o pipefail -c
.DEFAULT_GOAL := help

# Clones in other directories share the build cache.
export GOFLAGS := $(GOFLAGS) -trimpath

# The version of the binaries: the last tag v*, or v0.0.0 with the commit. The server of /healthz and /metrics requires a
# semantic version.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' --dirty 2>/dev/null || \
	echo "v0.0.0-$$(git describe --always --exclude '*' --abbrev=12 --dirty 2>/dev/null | sed 's/^/g/' | grep . || echo unknown)")
# The commit of the binaries, for their log and their provenance.
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
# The templates of grpc's trace pages call methods by name, which disables the linker's dead code elimination for methods.
# hack/updatestatus/verify-linker.sh reads this line.
TAGS := grpcnotrace
# Stripped. CGO_ENABLED, GOEXPERIMENT and GOFIPS140 are those of the environment, for FIPS (docs/updatestatus/development.md).
GO_BUILD = go build -tags $(TAGS) -buildvcs=false -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$(VERSION) -X k8s.io/component-base/version.gitCommit=$(COMMIT)"

# etcd, kube-apiserver and kubectl for the tests and the demo. Whoever has them already sets it, such as to what setup-envtest installs.
BUILT_ASSETS := $(CURDIR)/bin/control-plane
export KUBEBUILDER_ASSETS ?= $(BUILT_ASSETS)

# The numbers of nodes of make benchmark.
NODES ?= 6 60 250 500 1000 2000 5000
COMMA := ,
SPACE := $(subst ,, )

.PHONY: help
help: ## Lists these targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: controller
controller: ## Builds bin/cluster-version-operator alone, for the image.
	$(GO_BUILD) -o bin/ ./cmd/cluster-version-operator

.PHONY: build
build: controller ## Builds bin/cluster-version-operator and bin/oc-update-status, with links for kubectl and shell completion.
	@$(GO_BUILD) -o bin/ ./cmd/oc-update-status
	@for name in kubectl-update-status {oc,kubectl}_complete-update-status {oc,kubectl}{-,_complete-}update-{report,rehearse}; do \
		ln -sf oc-update-status bin/$$name; done

# The platforms of the plugins for krew.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
KREW := bin/krew

.PHONY: krew
krew: ## Writes the manifests and archives of the plugins for krew into bin/krew, for a release at URL=https://…; PLATFORMS="linux/amd64 …" for some platforms.
	@[[ -n "$(URL)" ]] || { echo "ERROR: URL=https://… is missing, where the archives will be" >&2; exit 2; }
	@rm -rf $(KREW)
	@for platform in $(PLATFORMS); do \
		export CGO_ENABLED=0 GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		$(GO_BUILD) -o $(KREW)/$${platform/\//-}/ ./cmd/oc-update-status; done
	@hack/updatestatus/krew.sh $(KREW) "$(URL)" "$(VERSION)"

.PHONY: sbom
sbom: controller ## Describes bin/cluster-version-operator beside it: its modules (.cdx.json), and how it was built (.provenance.json).
	@go run ./hack/updatestatus/sbom --version "$(VERSION)" --commit "$(COMMIT)" --builder "$(BUILDER)" bin/cluster-version-operator

.PHONY: image
image: ## Builds the image IMAGE=NAME with podman, docker or buildah; BUILDER= and BASE= set the images to build from, GOFIPS140= the FIPS module.
	@BUILDER="$(BUILDER)" BASE="$(BASE)" hack/updatestatus/image.sh "$(IMAGE)" "$(VERSION)" "$(COMMIT)"

.PHONY: deploy
deploy: ## Installs manifests/ with IMAGE=NAME into the cluster of your kubeconfig; FLAGS= are for oc, such as --dry-run=client.
	@IMAGE="$(IMAGE)" hack/updatestatus/deploy.sh apply $(FLAGS)

.PHONY: undeploy
undeploy: ## Deletes what deploy installed, including UpdateStatus/cluster.
	@hack/updatestatus/deploy.sh delete $(FLAGS)

.PHONY: run
run: build ## Runs the controller locally, against the cluster of your kubeconfig; FLAGS= are for the controller.
	@hack/updatestatus/run.sh $(FLAGS)

.PHONY: demo
demo: build control-plane ## Plays an update on a real API server and shows it, with FAULT=NAME (empty: lists them); SNAPSHOT=DIR/NAME shows a recorded cluster.
	@$(GO_BUILD) -o bin/demo ./test/updatestatus/demo
	@exec bin/demo $(if $(SNAPSHOT),--snapshot "$(SNAPSHOT)") $(if $(filter-out undefined,$(origin FAULT)),--fault "$(FAULT)")

.PHONY: demo-hypershift
demo-hypershift: build control-plane ## Plays the update of a hosted cluster on two real API servers and shows it.
	@$(GO_BUILD) -o bin/demo ./test/updatestatus/demo
	@exec bin/demo --hypershift

.PHONY: test
test: build control-plane ## Runs the tests that tell whether a change is good: each rule, user story and kind of fault once.
	@hack/updatestatus/test-suite.sh short

.PHONY: test-long
test-long: build control-plane browser ## Runs all other tests: long updates, the matrix of faults, a browser, krew, GitOps, PromQL, fuzzing.
	@hack/updatestatus/test-suite.sh long

.PHONY: fuzz
fuzz: ## Fuzzes each target FUZZ=300x times, or for FUZZ=10m.
	@hack/updatestatus/fuzz.sh "$(or $(FUZZ),300x)"

.PHONY: test-unit
test-unit: ## Runs the tests of make test that need no API server.
	@hack/updatestatus/test-suite.sh unit

.PHONY: test-pure
test-pure: ## Runs the tests of the rules, in about a minute, and only those that a change can have broken.
	@hack/updatestatus/test-suite.sh pure

.PHONY: invariants
invariants: ## Builds bin/update-status-invariants, which watches a real cluster over an update and fails on the first broken invariant.
	@$(GO_BUILD) -o bin/update-status-invariants ./test/updatestatus/acceptance

.PHONY: conformance
conformance: $(if $(EXAMPLES),control-plane) ## Compares the recorded clusters in EXAMPLES=DIR, from their files and live, with the expected output.
	@[[ -n "$(EXAMPLES)" ]] || { echo "ERROR: EXAMPLES=DIR is missing, the directory with the recorded clusters: make conformance EXAMPLES=../examples" >&2; exit 2; }
	@EXAMPLES="$(abspath $(EXAMPLES))" hack/updatestatus/test-suite.sh conformance

.PHONY: benchmark
benchmark: build control-plane ## Measures the controller on clusters of NODES="6 60 …" nodes (PACE=real: at the pace of real updates), and writes docs/updatestatus/benchmark.md.
	@$(GO_BUILD) -o bin/benchmark-run ./test/updatestatus/benchmark
	@exec bin/benchmark-run $(if $(strip $(NODES)),--nodes $(subst $(SPACE),$(COMMA),$(strip $(NODES)))) $(if $(PACE),--pace $(PACE))

.PHONY: benchmark-hosted
benchmark-hosted: build control-plane ## Measures CONTROLLERS=20 controllers of hosted clusters for IDLE=10m, and the client with STORED=1000 hosted clusters, and writes docs/updatestatus/benchmark-hosted.md.
	@$(GO_BUILD) -o bin/benchmark-run ./test/updatestatus/benchmark
	@exec bin/benchmark-run hosted --controllers "$(or $(CONTROLLERS),20)" --idle "$(or $(IDLE),10m)" --stored "$(or $(STORED),1000)"

.PHONY: soak
soak: build control-plane ## Plays the long form of each fault, runs one controller with random faults for SOAK=1h, and prints its resource usage.
	@$(GO_BUILD) -o bin/soak ./test/updatestatus/soak
	@exec bin/soak --length "$(or $(SOAK),1h)"

.PHONY: benchmark-go
benchmark-go: ## Compares the Go benchmarks, at 5,000 nodes, with the figures that are checked in; UPDATE=1 updates them.
	@hack/updatestatus/benchmark-go.sh $(if $(UPDATE),--update)

.PHONY: vulncheck
vulncheck: ## Checks the binaries for known vulnerabilities, in the Go vulnerability database or a copy of it, VULNDB=URL.
	@hack/updatestatus/vulncheck.sh $(VULNDB)

.PHONY: mutants
mutants: ## Changes the code in one place at a time, and prints what no test notices; PACKAGES="./pkg/…" for some packages.
	@hack/updatestatus/mutants.sh $(PACKAGES)

.PHONY: deflake
deflake: $(if $(findstring /test/,$(PACKAGE)),build control-plane) ## Repeats the tests of PACKAGE=./pkg/… (TEST=regular expression for some) until one fails.
	@hack/updatestatus/deflake.sh "$(PACKAGE)" "$(TEST)"

.PHONY: verify
verify: ## Checks generated files, manifests, formatting, linters, purity of packages, that no code reads sentences, vendor, linking, and scripts.
	@hack/updatestatus/verify.sh

.PHONY: update
update: ## Updates vendor, generated files (code, CRD, manifests, references) and formatting.
	hack/updatestatus/update-modules.sh
	hack/updatestatus/update-codegen.sh
	hack/updatestatus/update-crds.sh
	hack/updatestatus/update-manifests.sh
	hack/updatestatus/update-api-docs.sh
	hack/updatestatus/update-metrics.sh
	hack/updatestatus/update-insights.sh
	hack/updatestatus/update-glossary.sh
	hack/updatestatus/update-estimates.sh
	hack/updatestatus/update-screens.sh
	hack/updatestatus/update-picture.sh
	hack/updatestatus/update-format.sh

.PHONY: control-plane
control-plane: ## Builds etcd, kube-apiserver and kubectl into bin/control-plane, unless they exist or KUBEBUILDER_ASSETS names others.
	@[[ "$(KUBEBUILDER_ASSETS)" != "$(BUILT_ASSETS)" ]] || hack/updatestatus/build-control-plane.sh

.PHONY: browser
browser: ## Builds bin/browser, which opens reports in Chromium for the tests; they leave pictures in bin/report.
	@hack/updatestatus/build-browser.sh

.PHONY: clean
clean: ## Removes what these targets built.
	rm -rf bin
