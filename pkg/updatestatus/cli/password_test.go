package cli

import (
	"testing"

	"k8s.io/client-go/rest"
)

// TestWithoutPassword checks that the name and the password in an address are used, unless there are other credentials.
func TestWithoutPassword(t *testing.T) {
	const address = "https://admin:S3CRET@example.com:6443"
	for name, test := range map[string]struct {
		config         rest.Config
		user, password string
	}{
		"no other":       {rest.Config{Host: address}, "admin", "S3CRET"},
		"a token":        {rest.Config{Host: address, BearerToken: "t"}, "", ""},
		"a token's file": {rest.Config{Host: address, BearerTokenFile: "f"}, "", ""},
		"another name":   {rest.Config{Host: address, Username: "b", Password: "p"}, "b", "p"},
	} {
		got, err := withoutPassword(&test.config)
		if err != nil || got.Host != "https://example.com:6443" || got.Username != test.user || got.Password != test.password {
			t.Errorf("%s: %s, %s, %s, %v", name, got.Host, got.Username, got.Password, err)
		}
		if test.config.Host != address {
			t.Errorf("%s: the configuration itself was changed", name)
		}
	}
}
