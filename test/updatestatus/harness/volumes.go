package harness

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// volumes make the files of a pod's volumes of what the API server has, as a kubelet does.
type volumes struct {
	kube kubernetes.Interface
	pod  *corev1.Pod
}

// files returns the files of a volume by path.
func (v volumes) files(ctx context.Context, volume corev1.Volume) (map[string][]byte, error) {
	switch {
	case volume.ConfigMap != nil:
		return v.configMap(ctx, volume.ConfigMap.Name, volume.ConfigMap.Items)
	case volume.Secret != nil:
		secret, err := v.kube.CoreV1().Secrets(v.pod.Namespace).Get(ctx, volume.Secret.SecretName, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		return secret.Data, nil
	case volume.Projected != nil:
		return v.projected(ctx, volume.Projected.Sources)
	default:
		return nil, fmt.Errorf("a volume %s of a kind that this stand-in for a kubelet does not know", volume.Name)
	}
}

func (v volumes) projected(ctx context.Context, sources []corev1.VolumeProjection) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, source := range sources {
		switch {
		case source.ServiceAccountToken != nil:
			token, err := v.token(ctx, source.ServiceAccountToken.ExpirationSeconds)
			if err != nil {
				return nil, err
			}
			files[source.ServiceAccountToken.Path] = []byte(token)
		case source.ConfigMap != nil:
			data, err := v.configMap(ctx, source.ConfigMap.Name, source.ConfigMap.Items)
			if apierrors.IsNotFound(err) && ptr.Deref(source.ConfigMap.Optional, false) {
				continue
			}
			if err != nil {
				return nil, err
			}
			maps.Copy(files, data)
		case source.DownwardAPI != nil:
			for _, item := range source.DownwardAPI.Items {
				value, err := v.field(item.FieldRef)
				if err != nil {
					return nil, err
				}
				files[item.Path] = []byte(value)
			}
		}
	}
	return files, nil
}

// token returns a token of the pod's ServiceAccount that is valid as long as the pod exists.
func (v volumes) token(ctx context.Context, seconds *int64) (string, error) {
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		ExpirationSeconds: seconds,
		BoundObjectRef:    &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: v.pod.Name, UID: v.pod.UID},
	}}
	accounts := v.kube.CoreV1().ServiceAccounts(v.pod.Namespace)
	answer, err := accounts.CreateToken(ctx, v.pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return answer.Status.Token, nil
}

func (v volumes) configMap(ctx context.Context, name string, items []corev1.KeyToPath) (map[string][]byte, error) {
	configMap, err := v.kube.CoreV1().ConfigMaps(v.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for key, content := range configMap.Data {
		if len(items) == 0 {
			files[key] = []byte(content)
		}
	}
	for _, item := range items {
		files[item.Path] = []byte(configMap.Data[item.Key])
	}
	return files, nil
}

// field returns what of the pod a field reference names.
func (v volumes) field(reference *corev1.ObjectFieldSelector) (string, error) {
	switch reference.FieldPath {
	case "metadata.name":
		return v.pod.Name, nil
	case "metadata.namespace":
		return v.pod.Namespace, nil
	default:
		return "", fmt.Errorf("a field %s that this stand-in for a kubelet does not know", reference.FieldPath)
	}
}

// The names by which a kubelet replaces all files of a volume atomically.
const (
	currentFiles = "..data"
	nextFiles    = "..data_tmp"
)

// writeVolume writes the files of a volume into a folder, or replaces them: the visible files are links to those in a
// folder, to which a link is replaced.
func writeVolume(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	next, err := os.MkdirTemp(folder, "..")
	if err != nil {
		return err
	}
	for path, content := range files {
		if err := os.WriteFile(filepath.Join(next, path), content, 0o600); err != nil {
			return err
		}
	}
	before, err := os.Readlink(filepath.Join(folder, currentFiles))
	isFirst := os.IsNotExist(err)
	if err != nil && !isFirst {
		return err
	}
	if err := os.Symlink(filepath.Base(next), filepath.Join(folder, nextFiles)); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(folder, nextFiles), filepath.Join(folder, currentFiles)); err != nil {
		return err
	}
	if !isFirst {
		return os.RemoveAll(filepath.Join(folder, before))
	}
	for path := range files {
		if err := os.Symlink(filepath.Join(currentFiles, path), filepath.Join(folder, path)); err != nil {
			return err
		}
	}
	return nil
}
