package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/insight"
	"github.com/openshift/cluster-version-operator/test/invariants"
)

const (
	// editTime is how long the controller is observed after an edit of the object, and editWrites how often it may write then: a
	// controller that always finds another status than it has written would write five times a second.
	editTime   = 3 * time.Second
	editWrites = 2
	// addedField is a field with a default: it shows which CRD the API server uses.
	addedField = "addedByNextVersion"
)

// playPreviousCRD plays the update with the CRD of a previous version, as after the CRD was rolled back: the API server drops the fields
// that it does not know. Then the present CRD is installed and the controller is restarted, as by an update.
func playPreviousCRD(ctx context.Context, w *World) error {
	w.prune = withoutPreviousFields
	defer func() { w.prune = nil }()
	err := w.playCRD(ctx, func(version *apiextensionsv1.CustomResourceDefinitionVersion) {
		removePreviousFields(version.Schema.OpenAPIV3Schema)
	})
	if err != nil {
		return err
	}
	return w.Restart(context.WithoutCancel(ctx))
}

// removePreviousFields removes optional fields that each status of a cluster has.
func removePreviousFields(schema *apiextensionsv1.JSONSchemaProps) {
	delete(schema.Properties, "maxUnavailable")
	delete(schema.Properties, "verified")
	for name, property := range schema.Properties {
		removePreviousFields(&property)
		schema.Properties[name] = property
	}
	if schema.Items != nil {
		removePreviousFields(schema.Items.Schema)
	}
}

// withoutPreviousFields removes the same fields from a status.
func withoutPreviousFields(status *updatev1alpha1.UpdateStatusStatus) {
	for _, one := range invariants.Insights(status) {
		if version := insight.VersionOf(one); version != nil {
			version.Verified = false
		}
		if pool := insight.PoolOf(one); pool != nil {
			pool.MaxUnavailable = 0
		}
	}
}

// playNextCRD plays the update with the CRD of a next version, as at the start of an update: the API server adds the default of a field that
// the controller does not know.
func playNextCRD(ctx context.Context, w *World) error {
	return w.playCRD(ctx, func(version *apiextensionsv1.CustomResourceDefinitionVersion) {
		version.AdditionalPrinterColumns = append(version.AdditionalPrinterColumns, apiextensionsv1.CustomResourceColumnDefinition{
			Name: "Added", Type: "string", JSONPath: ".status." + addedField,
		})
	})
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

// playCRD changes the CRD of the object until the update is over and the object is right, and checks that the controller does not write
// endlessly.
func (w *World) playCRD(ctx context.Context, change func(*apiextensionsv1.CustomResourceDefinitionVersion)) error {
	client, err := dynamic.NewForConfig(w.Plane.Admin())
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	object, err := client.Resource(crdResource).Get(ctx, crdName, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("reading the CRD: %w", err)
	}
	present, changed := &apiextensionsv1.CustomResourceDefinition{}, &apiextensionsv1.CustomResourceDefinition{}
	err = errors.Join(runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, present),
		runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, changed))
	if err != nil {
		return fmt.Errorf("decoding the CRD: %w", err)
	}
	change(&changed.Spec.Versions[0])
	status := changed.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"]
	addField(&status)
	changed.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"] = status
	w.Pause(ctx, maxPause)
	lasting := context.WithoutCancel(ctx)
	err = w.useCRD(lasting, client, changed, true)
	if err == nil {
		<-ctx.Done()
		err = w.checkEdited(lasting)
	}
	return errors.Join(err, w.useCRD(lasting, client, present, false))
}

// useCRD changes the CRD of the object, and waits until the API server uses it.
func (w *World) useCRD(ctx context.Context, client dynamic.Interface, crd *apiextensionsv1.CustomResourceDefinition, hasAddedField bool) error {
	content, err := json.Marshal(map[string]any{"spec": map[string]any{"versions": crd.Spec.Versions}})
	if err != nil {
		return fmt.Errorf("encoding the CRD: %w", err)
	}
	if _, err := client.Resource(crdResource).Patch(ctx, crd.Name, types.MergePatchType, content, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("changing the CRD: %w", err)
	}
	objects := client.Resource(updatev1alpha1.SchemeGroupVersion.WithResource("updatestatuses"))
	if err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		us, err := objects.Get(ctx, updatev1alpha1.SingletonName, metav1.GetOptions{})
		if err != nil {
			return false, nil //nolint:nilerr // it is read again
		}
		_, found, err := unstructured.NestedString(us.Object, "status", addedField)
		return found == hasAddedField, err
	}); err != nil {
		return fmt.Errorf("waiting until the CRD is used: %w", err)
	}
	return nil
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
	timer := time.NewTimer(editTime)
	defer timer.Stop()
	<-timer.C
	if count := writes.of(http.StatusOK); count > editWrites {
		return fmt.Errorf("the controller wrote the status %d times in %s after an edit", count, editTime)
	}
	_, err := w.waitUntilRight(ctx, w.scenario.recoveryLimit())
	return err
}
