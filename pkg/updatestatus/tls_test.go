package updatestatus

import (
	"context"
	"errors"
	"slices"
	"testing"

	configv1 "github.com/openshift/api/config/v1"
)

func TestServingTLS(t *testing.T) {
	custom := &configv1.CustomTLSProfile{TLSProfileSpec: configv1.TLSProfileSpec{
		MinTLSVersion: configv1.VersionTLS12, Ciphers: []string{"ECDHE-RSA-AES128-GCM-SHA256", "UNKNOWN"},
	}}
	for name, test := range map[string]struct {
		profile *configv1.TLSSecurityProfile
		version string
		// has is a cipher suite, and ciphers how many there are.
		has     string
		ciphers int
	}{
		"none":                    {nil, "VersionTLS12", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 9},
		"modern":                  {&configv1.TLSSecurityProfile{Type: configv1.TLSProfileModernType}, "VersionTLS13", "TLS_AES_128_GCM_SHA256", 3},
		"custom":                  {&configv1.TLSSecurityProfile{Type: configv1.TLSProfileCustomType, Custom: custom}, "VersionTLS12", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 1},
		"custom, without content": {&configv1.TLSSecurityProfile{Type: configv1.TLSProfileCustomType}, "VersionTLS12", "TLS_AES_128_GCM_SHA256", 9},
		"of a newer release":      {&configv1.TLSSecurityProfile{Type: "Quantum"}, "VersionTLS12", "TLS_AES_128_GCM_SHA256", 9},
	} {
		got := servingTLS(test.profile)
		if got.MinTLSVersion != test.version || !slices.Contains(got.CipherSuites, test.has) || len(got.CipherSuites) != test.ciphers {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestReadServingTLS: a profile that can't be read is the default one at the start, and no change later.
func TestReadServingTLS(t *testing.T) {
	apiServer, failed := &configv1.APIServer{}, error(nil)
	get := func(context.Context) (*configv1.APIServer, error) { return apiServer, failed }
	apiServer.Spec.TLSSecurityProfile = &configv1.TLSSecurityProfile{Type: configv1.TLSProfileModernType}
	served := ReadServingTLS(t.Context(), get)
	if served.MinTLSVersion != "VersionTLS13" {
		t.Errorf("served with %v", served)
	}
	if isOtherTLS(t.Context(), get, served) {
		t.Error("the same profile is another")
	}
	if !isOtherTLS(t.Context(), get, servingTLS(nil)) {
		t.Error("another profile is not noticed")
	}
	failed = errors.New("away")
	if got := ReadServingTLS(t.Context(), get); got.MinTLSVersion != "VersionTLS12" {
		t.Errorf("without an answer served with %v", got)
	}
	if isOtherTLS(t.Context(), get, servingTLS(nil)) {
		t.Error("a request that failed is another profile")
	}
}
