// Sbom describes a binary beside it, by what the Go toolchain wrote into it: BINARY.cdx.json has the modules that it consists of
// (CycloneDX), and BINARY.provenance.json how it was built (SLSA provenance, in an in-toto statement).
//
//	sbom --version VERSION --commit COMMIT [--builder NAME] BINARY
//
// It needs nothing but the standard library, since it also runs in the builder of the image.
package main
