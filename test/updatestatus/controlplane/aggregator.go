package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"

	"k8s.io/client-go/util/cert"
)

// aggregatorFlags make the API server publish, as every cluster's does, whom a server behind it may believe that a
// request is of somebody else. Servers with delegated authentication, such as that of the controller's metrics, ask for it.
func aggregatorFlags(dir string) (map[string]string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	authority, err := cert.NewSelfSignedCACert(cert.Config{CommonName: "aggregator-signer"}, key)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "aggregator-ca.crt")
	content := pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: authority.Raw})
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return nil, err
	}
	return map[string]string{
		"requestheader-client-ca-file":       path,
		"requestheader-allowed-names":        "aggregator",
		"requestheader-username-headers":     "X-Remote-User",
		"requestheader-group-headers":        "X-Remote-Group",
		"requestheader-extra-headers-prefix": "X-Remote-Extra-",
	}, nil
}
