package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	updateclient "github.com/openshift/cluster-version-operator/pkg/generated/clientset/versioned"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
)

// watch checks each version until an update has begun and everything is updated. The error is the first broken invariant, or why the
// context ended.
func watch(ctx context.Context, config *rest.Config, folder string, out io.Writer) error {
	client, err := updateclient.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	versions := make(chan *updatev1alpha1.UpdateStatus)
	send := func(object any) {
		if us, ok := object.(*updatev1alpha1.UpdateStatus); ok {
			select {
			case versions <- us:
			case <-ctx.Done():
			}
		}
	}
	// A user may have permission for this one object only.
	watched := cache.NewListWatchFromClient(client.UpdateV1alpha1().RESTClient(), "updatestatuses", metav1.NamespaceAll,
		fields.OneTermEqualSelector(metav1.ObjectNameField, updatev1alpha1.SingletonName))
	informer := cache.NewSharedIndexInformer(watched, &updatev1alpha1.UpdateStatus{}, 0, nil)
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: send, UpdateFunc: func(_, object any) { send(object) }}); err != nil {
		return fmt.Errorf("watching the UpdateStatus: %w", err)
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go informer.RunWithContext(watching)

	var watcher invariants.Watcher
	for count := 1; ; count++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case us := <-versions:
			before := watcher.Before()
			if count == 1 {
				if _, err := fmt.Fprintf(out, "Watching UpdateStatus/%s, until an update has begun and everything is updated\n", us.Name); err != nil {
					return fmt.Errorf("writing: %w", err)
				}
			}
			if problems := watcher.Next(us); len(problems) > 0 {
				broken := fmt.Errorf("version %s: %s", us.ResourceVersion, strings.Join(problems, "; "))
				return errors.Join(broken, writeVersions(folder, before, us))
			}
			if watcher.Done() {
				_, err := fmt.Fprintf(out, "Every invariant holds in %d versions of the UpdateStatus\n", count)
				return err
			}
		}
	}
}

// writeVersions writes the versions that break an invariant.
func writeVersions(folder string, before, after *updatev1alpha1.UpdateStatus) error {
	for name, us := range map[string]*updatev1alpha1.UpdateStatus{"before.yaml": before, "after.yaml": after} {
		if us == nil {
			continue
		}
		content, err := yaml.Marshal(us)
		if err != nil {
			return fmt.Errorf("writing a version: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return fmt.Errorf("writing a version: %w", err)
		}
	}
	return nil
}
