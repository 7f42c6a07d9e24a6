package main

import (
	"context"
	"log"

	"github.com/openshift/cluster-version-operator/test/examples/ceph"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

func main() {
	if err := updateinformer.Run(context.Background(), ceph.New); err != nil {
		log.Fatal(err)
	}
}
