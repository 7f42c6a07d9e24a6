package main

import (
	"context"
	"log"

	"github.com/openshift/cluster-version-operator/test/updatestatus/examples/ceph"
)

func main() {
	if err := ceph.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
