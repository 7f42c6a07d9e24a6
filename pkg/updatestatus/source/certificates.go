package source

import (
	"context"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	"k8s.io/klog/v2"
)

const (
	// certificatesInterval is how often the requests of kubelets for certificates are read, and certificatesTimeout bounds that.
	certificatesInterval = time.Minute
	certificatesTimeout  = 10 * time.Second
)

// ReadCertificateRequests reads the requests of kubelets for certificates.
type ReadCertificateRequests func(context.Context) ([]*certificatesv1.CertificateSigningRequest, error)

// certificateRequests are those of kubelets, which are read while they may explain why a node is not ready.
type certificateRequests struct {
	last   []*certificatesv1.CertificateSigningRequest
	readAt time.Time
}

// read reads them if they are wanted and it is time to. It returns when to read again, zero if they are not wanted, and whether they may differ
// from before. Without the permission nothing is known of them.
func (c *certificateRequests) read(ctx context.Context, read ReadCertificateRequests, isWanted bool, now time.Time) (again time.Time, isRead bool) {
	if !isWanted || read == nil {
		hadSome := len(c.last) > 0
		*c = certificateRequests{}
		return time.Time{}, hadSome
	}
	if now.Sub(c.readAt) < certificatesInterval {
		return c.readAt.Add(certificatesInterval), false
	}
	ctx, cancel := context.WithTimeout(ctx, certificatesTimeout)
	defer cancel()
	requests, err := read(ctx)
	if err != nil {
		klog.FromContext(ctx).V(2).Info("Whether kubelets wait for certificates is not known, as their requests can't be read", "err", err)
		requests = nil
	}
	c.last, c.readAt = requests, now
	return now.Add(certificatesInterval), true
}
