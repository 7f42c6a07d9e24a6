package harness

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// TokenVolume is the volume with the token and the authorities, which a cluster adds to each pod that asks for a token.
const TokenVolume = "kube-api-access"

// addToken adds that volume, as the API server of OpenShift does. The one of the tests does not: it would refuse pods of
// namespaces without a ServiceAccount, which only a controller would make.
func addToken(pod *corev1.PodSpec) {
	if !ptr.Deref(pod.AutomountServiceAccountToken, true) {
		return
	}
	authority := func(name, key string, optional bool) corev1.VolumeProjection {
		return corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{
			LocalObjectReference: corev1.LocalObjectReference{Name: name}, Optional: ptr.To(optional),
			Items: []corev1.KeyToPath{{Key: key, Path: key}},
		}}
	}
	pod.Volumes = append(pod.Volumes, corev1.Volume{Name: TokenVolume, VolumeSource: corev1.VolumeSource{
		Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: ptr.To[int64](3607)}},
			authority("kube-root-ca.crt", "ca.crt", false),
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{
				{Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.namespace"}},
			}}},
			authority("openshift-service-ca.crt", "service-ca.crt", true),
		}},
	}})
	for at := range pod.Containers {
		pod.Containers[at].VolumeMounts = append(pod.Containers[at].VolumeMounts,
			corev1.VolumeMount{Name: TokenVolume, MountPath: serviceAccountFolder, ReadOnly: true})
	}
}
