package schema

import (
	"context"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/test/updatestatus/manifests"
)

// Schema is that of the one version of a CRD.
type Schema struct {
	// Properties is the schema as the CRD has it.
	Properties *apiextensionsv1.JSONSchemaProps

	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

// Read reads the CRD of a resource from the manifests of a repository.
func Read(root, resource string) (*Schema, error) {
	files, err := manifests.Files(root)
	if err != nil {
		return nil, err
	}
	hosted, err := manifests.HostedFiles(root)
	if err != nil {
		return nil, err
	}
	all, err := manifests.Read(append(files, hosted...), "none")
	if err != nil {
		return nil, err
	}
	name := resource + "." + updatev1alpha1.GroupName
	crd, found := manifests.Find[*apiextensionsv1.CustomResourceDefinition](all, name)
	if !found {
		return nil, fmt.Errorf("there is no CRD %s: %w", name, os.ErrNotExist)
	}
	if len(crd.Spec.Versions) != 1 {
		return nil, fmt.Errorf("%s has %d versions", name, len(crd.Spec.Versions))
	}
	internal := &apiextensions.CustomResourceValidation{}
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(
		crd.Spec.Versions[0].Schema, internal, nil); err != nil {
		return nil, fmt.Errorf("reading the schema of %s: %w", name, err)
	}
	structural, err := structuralschema.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of %s: %w", name, err)
	}
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, fmt.Errorf("making a validator of %s: %w", name, err)
	}
	return &Schema{Properties: crd.Spec.Versions[0].Schema.OpenAPIV3Schema, structural: structural, validator: validator, rules: cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}

// Validate returns what an API server would reject of an object, and what it would drop silently.
func (s *Schema) Validate(ctx context.Context, object any) error {
	decoded, isDecoded := object.(map[string]any)
	if !isDecoded {
		var err error
		if decoded, err = runtime.DefaultUnstructuredConverter.ToUnstructured(object); err != nil {
			return fmt.Errorf("encoding an object: %w", err)
		}
	}
	errs := validation.ValidateCustomResource(nil, decoded, s.validator)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, decoded)...)
	broken, _ := s.rules.Validate(ctx, nil, s.structural, decoded, nil, celconfig.RuntimeCELCostBudget)
	errs = append(errs, broken...)
	for _, dropped := range pruning.PruneWithOptions(runtime.DeepCopyJSON(decoded), s.structural, true,
		structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		errs = append(errs, field.Forbidden(field.NewPath(dropped), "is not in the schema"))
	}
	return errs.ToAggregate()
}
