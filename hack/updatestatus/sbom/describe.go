package main

import (
	"debug/buildinfo"
	"strings"
)

// build is a binary and how it was built.
type build struct {
	name, sha256             string
	version, commit, builder string
	info                     *buildinfo.BuildInfo
}

// component is a component of a bill of materials.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// bom returns the modules of the binary, the standard library included, as CycloneDX.
func (b build) bom() any {
	toolchain, _, _ := strings.Cut(strings.TrimPrefix(b.info.GoVersion, "go"), " ")
	modules := []component{{Type: "library", Name: "stdlib", Version: toolchain, PURL: "pkg:golang/stdlib@" + toolchain}}
	for _, module := range b.info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		modules = append(modules, component{
			Type: "library", Name: module.Path, Version: module.Version, PURL: "pkg:golang/" + module.Path + "@" + module.Version,
		})
	}
	return map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": component{
			Type: "application", Name: b.name, Version: b.version, PURL: "pkg:golang/" + b.info.Main.Path + "@" + b.version,
			Hashes: []hash{{Algorithm: "SHA-256", Content: b.sha256}},
		}},
		"components": modules,
	}
}

// provenance returns an in-toto statement: https://slsa.dev/spec/v1.0/provenance.
func (b build) provenance() any {
	settings := map[string]string{}
	for _, setting := range b.info.Settings {
		settings[setting.Key] = setting.Value
	}
	builder := b.builder
	if builder == "" {
		builder = "no image"
	}
	return map[string]any{
		"_type":         "https://in-toto.io/Statement/v1",
		"subject":       []any{map[string]any{"name": b.name, "digest": map[string]string{"sha256": b.sha256}}},
		"predicateType": "https://slsa.dev/provenance/v1",
		"predicate": map[string]any{
			"buildDefinition": map[string]any{
				"buildType":          repository + "/blob/main/Makefile",
				"externalParameters": map[string]any{"target": "controller", "version": b.version, "go": b.info.GoVersion, "settings": settings},
				"resolvedDependencies": []any{map[string]any{
					"uri": "git+" + repository, "digest": map[string]string{"gitCommit": b.commit},
				}},
			},
			"runDetails": map[string]any{"builder": map[string]string{"id": builder}},
		},
	}
}
