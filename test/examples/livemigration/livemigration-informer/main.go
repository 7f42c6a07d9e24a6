package main

import (
	"context"
	"log"

	"github.com/openshift/cluster-version-operator/test/examples/livemigration"
	"github.com/openshift/cluster-version-operator/test/examples/updateinformer"
)

func main() {
	if err := updateinformer.Run(context.Background(), livemigration.New); err != nil {
		log.Fatal(err)
	}
}
