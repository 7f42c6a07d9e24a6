package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
)

// requestTimeout bounds a request to the plain endpoint.
const requestTimeout = 10 * time.Second

// servePlain serves metrics and probes over HTTP until the context ends, and nothing without an address; if that fails later, it calls end.
// So do the other components of a hosted control plane (openshift/hypershift, v2/assets/hosted-cluster-config-operator): to authenticate
// requests takes a permission for the whole management cluster, which none of them has. Network policies say who may connect.
func servePlain(ctx context.Context, end context.CancelFunc, address string) error {
	if address == "" {
		return nil
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("serving metrics and probes at the address of --listen: %w", err)
	}
	server := &http.Server{Handler: plainHandler(), ReadTimeout: requestTimeout, WriteTimeout: requestTimeout}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			klog.FromContext(ctx).Error(err, "Unable to serve metrics and probes, exiting")
			end()
		}
	}()
	return nil
}

// plainHandler serves the paths of the other components.
func plainHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", legacyregistry.Handler())
	healthz.InstallHandler(mux)
	healthz.InstallReadyzHandler(mux)
	return mux
}
