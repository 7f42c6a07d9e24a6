package updatestatus

import (
	"context"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/library-go/pkg/crypto"
)

const (
	// tlsTimeout bounds a request for the profile.
	tlsTimeout = 5 * time.Second
	// tlsInterval is how often it is read again.
	tlsInterval = 10 * time.Minute
)

// ServingTLS is how metrics and probes are served, in the names of a ServingInfo.
type ServingTLS struct {
	MinTLSVersion string
	CipherSuites  []string
}

// servingTLS returns what a profile of a cluster asks for, and what the default profile does without one:
// https://pkg.go.dev/github.com/openshift/api/config/v1#TLSProfiles.
func servingTLS(profile *configv1.TLSSecurityProfile) ServingTLS {
	spec := configv1.TLSProfiles[crypto.DefaultTLSProfileType]
	switch {
	case profile == nil:
	case profile.Type == configv1.TLSProfileCustomType && profile.Custom != nil:
		spec = &profile.Custom.TLSProfileSpec
	case configv1.TLSProfiles[profile.Type] != nil:
		spec = configv1.TLSProfiles[profile.Type]
	}
	return ServingTLS{string(spec.MinTLSVersion), crypto.OpenSSLToIANACipherSuites(spec.Ciphers)}
}

// GetAPIServer reads APIServer/cluster, which has the profile.
type GetAPIServer func(context.Context) (*configv1.APIServer, error)

// ReadServingTLS reads the profile of the cluster. Where it can't be read, the default one is as good as any: the controller must
// start whatever the cluster looks like.
func ReadServingTLS(ctx context.Context, get GetAPIServer) ServingTLS {
	ctx, cancel := context.WithTimeout(ctx, tlsTimeout)
	defer cancel()
	apiServer, err := get(ctx)
	if err != nil {
		klog.FromContext(ctx).Info("Unable to read the TLS security profile of the cluster, serving with the default one", "err", err)
		return servingTLS(nil)
	}
	return servingTLS(apiServer.Spec.TLSSecurityProfile)
}

// AwaitOtherTLS reads the profile every ten minutes, and returns when it is another or when the context ends. A request that fails
// changes nothing.
func AwaitOtherTLS(ctx context.Context, get GetAPIServer, current ServingTLS) {
	_ = wait.PollUntilContextCancel(ctx, tlsInterval, false, func(ctx context.Context) (bool, error) {
		return isOtherTLS(ctx, get, current), nil
	})
}

func isOtherTLS(ctx context.Context, get GetAPIServer, current ServingTLS) bool {
	ctx, cancel := context.WithTimeout(ctx, tlsTimeout)
	defer cancel()
	apiServer, err := get(ctx)
	return err == nil && !reflect.DeepEqual(servingTLS(apiServer.Spec.TLSSecurityProfile), current)
}
