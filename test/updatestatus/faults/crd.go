package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/playback"
)

const (
	// crdName is the name of the CRD of the object.
	crdName = "updatestatuses.update.openshift.io"
	// editTime is how long the controller is observed after an edit of the object, and editWrites how often it may write then: a
	// controller that always finds another status than it has written would write five times a second.
	editTime   = 3 * time.Second
	editWrites = 2
	// addedField is a field with a default: it shows which CRD the API server uses.
	addedField = "addedByNextVersion"
)

// removeCRD deletes the CRD of the object, and with it the object, and creates it again.
func removeCRD(ctx context.Context, w *World) error {
	return w.repeat(ctx, 2, func(ctx context.Context) error {
		create, err := w.deleteCRD(ctx, crdName)
		if err != nil {
			return err
		}
		w.Pause(ctx, maxOutage)
		return create(ctx)
	})
}

// deleteCRD deletes a CRD, and returns a function that creates it again. When the controller creates the object again just before that is
// refused, kube-apiserver waits a minute for it to be deleted, and only then deletes it again (its CRD finalizer).
func (w *World) deleteCRD(ctx context.Context, name string) (create func(context.Context) error, err error) {
	crd, err := w.crds.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("reading the CRD: %w", err)
	}
	if err := w.crds.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return nil, fmt.Errorf("deleting the CRD: %w", err)
	}
	err = w.await(ctx, "the deletion of the CRD", func(ctx context.Context) (bool, error) {
		_, err := w.crds.Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
	return func(ctx context.Context) error {
		_, err := w.crds.Create(ctx, &apiextensionsv1.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: crd.Annotations, Labels: crd.Labels}, Spec: crd.Spec,
		}, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating the CRD again: %w", err)
		}
		// Before that, an API server may serve its resource for a moment, and then not respond to requests.
		return w.await(ctx, "the CRD to be established", func(ctx context.Context) (bool, error) {
			crd, err := w.crds.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return false, nil //nolint:nilerr // it is read again
			}
			for _, condition := range crd.Status.Conditions {
				if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
					return true, nil
				}
			}
			return false, nil
		})
	}, err
}

// startWithoutPools starts the controller in a cluster without MachineConfigPools, and installs these.
func startWithoutPools(ctx context.Context, w *World) error {
	var install []func(context.Context) error
	for _, resource := range controlplane.MachineConfigResources() {
		create, err := w.deleteCRD(ctx, resource.String())
		if err != nil {
			return err
		}
		install = append(install, create)
	}
	err := w.Start(ctx)
	if err == nil {
		err = w.await(ctx, "the first status", func(ctx context.Context) (bool, error) {
			us, err := w.client.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
			return err == nil && len(us.Status.Conditions) > 0, nil
		})
	}
	for _, create := range install {
		err = errors.Join(err, create(ctx))
	}
	return err
}

// playPreviousCRD plays the update with the CRD of a previous version, as after the CRD was rolled back: the API server drops the fields
// that it does not know. Then the present CRD is installed and the controller is restarted, as by an update.
func playPreviousCRD(ctx context.Context, w *World) error {
	w.prune = withoutPreviousFields
	defer func() { w.prune = nil }()
	if err := w.playCRD(ctx, removePreviousFields); err != nil {
		return err
	}
	return w.Restart(context.WithoutCancel(ctx))
}

// removePreviousFields removes an optional field that each status of a cluster has.
func removePreviousFields(schema *apiextensionsv1.JSONSchemaProps) {
	delete(schema.Properties, "maxUnavailable")
	for name, property := range schema.Properties {
		removePreviousFields(&property)
		schema.Properties[name] = property
	}
	if schema.Items != nil {
		removePreviousFields(schema.Items.Schema)
	}
}

// withoutPreviousFields removes the same field from a status.
func withoutPreviousFields(status *updatev1alpha1.UpdateStatusStatus) {
	for _, one := range invariants.Insights(status) {
		if pool := insight.PoolOf(one); pool != nil {
			pool.MaxUnavailable = 0
		}
	}
}

// playNextCRD plays the update with the CRD of a next version, as at the start of an update: the API server adds the default of a field that
// the controller does not know.
func playNextCRD(ctx context.Context, w *World) error {
	return w.playCRD(ctx, func(*apiextensionsv1.JSONSchemaProps) {})
}

// addField adds a field to each object.
func addField(schema *apiextensionsv1.JSONSchemaProps) {
	if schema.Items != nil {
		addField(schema.Items.Schema)
	}
	if schema.Type != "object" {
		return
	}
	for name, property := range schema.Properties {
		addField(&property)
		schema.Properties[name] = property
	}
	schema.Properties[addedField] = apiextensionsv1.JSONSchemaProps{Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"default"`)}}
}

// playCRD changes the schema of the object until the update is over and the object is right, and checks that the controller does not write
// endlessly.
func (w *World) playCRD(ctx context.Context, change func(*apiextensionsv1.JSONSchemaProps)) error {
	present, err := w.crds.Get(ctx, crdName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the CRD: %w", err)
	}
	changed := present.DeepCopy()
	schema := changed.Spec.Versions[0].Schema.OpenAPIV3Schema
	change(schema)
	status := schema.Properties["status"]
	addField(&status)
	schema.Properties["status"] = status
	w.Pause(ctx, maxPause)
	lasting := context.WithoutCancel(ctx)
	err = w.useCRD(lasting, changed, true)
	if err == nil {
		<-ctx.Done()
		err = w.checkEdited(lasting)
	}
	return errors.Join(err, w.useCRD(lasting, present, false))
}

// useCRD changes the CRD of the object, and waits until the API server uses it.
func (w *World) useCRD(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, hasAddedField bool) error {
	content, errJSON := json.Marshal(map[string]any{"spec": map[string]any{"versions": crd.Spec.Versions}})
	_, errPatch := w.crds.Patch(ctx, crdName, types.MergePatchType, content, metav1.PatchOptions{})
	client, errClient := dynamic.NewForConfig(w.Plane.Admin())
	if err := errors.Join(errJSON, errPatch, errClient); err != nil {
		return fmt.Errorf("changing the CRD: %w", err)
	}
	objects := client.Resource(updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"))
	return w.await(ctx, "the CRD to be used", func(ctx context.Context) (bool, error) {
		us, err := objects.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is read again
		}
		_, found, err := unstructured.NestedString(us.Object, "status", addedField)
		return found == hasAddedField, err
	})
}

// checkEdited waits until the object is right, and checks that the controller stops writing after another client has edited it.
func (w *World) checkEdited(ctx context.Context) error {
	if _, err := w.waitUntilRight(ctx, w.scenario.recoveryLimit()); err != nil {
		return err
	}
	writes := &responses{}
	w.Proxy.Set(writes.count(IsStatusWrite))
	edit := fmt.Appendf(nil, `{"metadata":{"labels":{"example.com/edited":%q}}}`, strconv.FormatUint(w.Seed, 10))
	if _, err := w.client.Patch(ctx, updatev1alpha1.SingletonName, types.MergePatchType, edit, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("editing the object: %w", err)
	}
	if err := playback.RealTime(ctx, time.Now().Add(editTime)); err != nil {
		return err
	}
	if count := writes.succeeded.Load(); count > editWrites {
		return fmt.Errorf("the controller wrote the status %d times in %s after an edit", count, editTime)
	}
	_, err := w.waitUntilRight(ctx, w.scenario.recoveryLimit())
	return err
}
