package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Object is an object of a manifest.
type Object interface {
	metav1.Object
	runtime.Object
}

// Manifest is an object and the file that it stands in.
type Manifest struct {
	// File is the name of the file, without its folder.
	File   string
	Object Object
}

// Files returns the paths of the manifests in the order in which they are applied. They are in manifests/, or, in the repository
// of the Cluster Version Operator, beside its own.
func Files(root string) ([]string, error) {
	for _, folder := range []string{"manifests", "install"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*_update-status-controller_*.yaml"))
		if err != nil || len(files) > 0 {
			return files, err
		}
	}
	return nil, fmt.Errorf("there are no manifests in %s: %w", root, os.ErrNotExist)
}

// Read renders manifests for an image, and reads them.
func Read(files []string, image string) ([]Manifest, error) {
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	var read []Manifest
	for _, file := range files {
		objects, err := readFile(decoder, file, image)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, object := range objects {
			read = append(read, Manifest{File: filepath.Base(file), Object: object})
		}
	}
	return read, nil
}

// Find returns the object of a type with a name, and whether there is one.
func Find[T Object](in []Manifest, name string) (T, bool) {
	for _, manifest := range in {
		if object, ok := manifest.Object.(T); ok && object.GetName() == name {
			return object, true
		}
	}
	var none T
	return none, false
}

func newDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, rbacv1.AddToScheme,
		apiextensionsv1.AddToScheme, monitoringv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer(), nil
}

func readFile(decoder runtime.Decoder, file, image string) ([]Object, error) {
	content, err := RenderFile(file, image)
	if err != nil {
		return nil, err
	}
	return decode(decoder, content)
}

func decode(decoder runtime.Decoder, content []byte) ([]Object, error) {
	var objects []Object
	for documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content))); ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		decoded, _, err := decoder.Decode(document, nil, nil)
		if err != nil {
			return nil, err
		}
		object, ok := decoded.(Object)
		if !ok {
			return nil, fmt.Errorf("%T has no metadata", decoded)
		}
		objects = append(objects, object)
	}
}
