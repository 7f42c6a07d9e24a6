package cli

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// requestTimeout bounds what is read from a cluster at a time, unless --request-timeout is shorter.
	requestTimeout = 30 * time.Second
	// patience is how long the command is silent about an API server that does not respond.
	patience = 5 * time.Second
)

// errNoResponse ends a request that takes too long.
var errNoResponse = errors.New("no response")

// read reads from the source. While a cluster does not respond it says what it waits for, and not for ever.
func (o *Options) read(ctx context.Context) (*observation, error) {
	from, isCluster := o.source.(cluster)
	if !isCluster {
		return o.source.read(ctx) //nolint:wrapcheck // each source says what it reads
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.requestTimeout, errNoResponse)
	defer cancel()
	warned := make(chan struct{})
	waiting := time.AfterFunc(o.patience, func() {
		defer close(warned)
		_ = o.warn(fmt.Sprintf("waiting for the API server %s, for %s at most", from.host, o.requestTimeout)) // the error follows if it is none
	})
	defer func() {
		if !waiting.Stop() {
			<-warned
		}
	}()
	observed, err := from.read(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errNoResponse) {
		return nil, fmt.Errorf("the API server %s has not responded within %s: check that it is up and that a firewall lets you reach it (%w)", from.host, o.requestTimeout, err)
	}
	return observed, err
}
