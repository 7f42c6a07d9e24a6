package harness

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus"
	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// serviceAccountFolder is where client-go finds the credentials of a pod.
const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// Pod is the built binary, running as the Deployment of manifests/ says: its command, arguments, environment and volumes,
// as a kubelet reads them. This stand-in for a kubelet has no root file system and no network of the pod's own. Three
// things are translated for that, and nothing else:
//
//   - a path below a volume's mount path, in arguments and in files of ConfigMaps, is one below the folder of the volume;
//   - the port of the pod is one that is free on this machine (--listen);
//   - client-go looks for the token in one fixed folder: a kubeconfig names the volume's files and the address that a pod
//     has in KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT. The authority of services is in the same folder
//     (--alerts-ca-file).
//
// The pod is also in the API server, which admits it, with the ReplicaSet that it would belong to.
type Pod struct {
	*Process

	// Object is the pod as the API server admitted it.
	Object  *corev1.Pod
	volumes volumes
	folder  string
}

// PodOptions are the options of a pod.
type PodOptions struct {
	Name string
	// Folder is for the files of the volumes. The caller removes it.
	Folder string
	// Logs receive the standard error of the process.
	Logs io.Writer
	// Configuration is added to each file of a ConfigMap.
	Configuration string
	// Environment is added to that of the spec, as name=value.
	Environment []string
	// Flags are added to the arguments of the spec.
	Flags []string
	// AlertsURL is the address for alerts, in place of the querier of a cluster. Without it there is none.
	AlertsURL string
}

// StartPod creates a pod of the Deployment of manifests/ and runs it.
func StartPod(ctx context.Context, plane *controlplane.ControlPlane, options PodOptions) (*Pod, error) {
	kube, err := kubernetes.NewForConfig(plane.Admin())
	if err != nil {
		return nil, err
	}
	deployment, err := kube.AppsV1().Deployments(controlplane.Namespace).Get(ctx, controlplane.ServiceAccount.Name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	object, err := CreatePod(ctx, kube, deployment, options.Name)
	if err != nil {
		return nil, err
	}
	pod := &Pod{Object: object, volumes: volumes{kube: kube, pod: object}, folder: options.Folder}
	address, err := FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	container := object.Spec.Containers[0]
	if err := pod.writeVolumes(ctx, options.Configuration); err != nil {
		return nil, err
	}
	server, _, err := rest.DefaultServerUrlFor(plane.Admin())
	if err != nil {
		return nil, err
	}
	environment, err := pod.environment(container, server)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := pod.kubeconfig(container.VolumeMounts, server)
	if err != nil {
		return nil, err
	}
	arguments := append(append([]string{}, container.Command[1:]...), container.Args...)
	for at, argument := range arguments {
		arguments[at] = pod.translate(container.VolumeMounts, argument)
	}
	arguments = append(arguments, "--listen", address, "--kubeconfig", kubeconfig,
		"--alerts-ca-file", pod.translate(container.VolumeMounts, updatestatus.DefaultAlertsCAFile))
	if options.AlertsURL != "" {
		arguments = append(arguments, "--alerts-url", options.AlertsURL)
	}
	arguments = append(arguments, options.Flags...)
	pod.Process, err = startProcess(ctx, command{
		name: container.Command[0], arguments: arguments, environment: append(environment, options.Environment...),
		logs: options.Logs,
	})
	if err != nil {
		return nil, err
	}
	pod.address = address
	return pod, nil
}

// writeVolumes writes the files of all volumes, and adds the configuration to those of ConfigMaps.
func (p *Pod) writeVolumes(ctx context.Context, configuration string) error {
	mounts := p.Object.Spec.Containers[0].VolumeMounts
	for _, volume := range p.Object.Spec.Volumes {
		files, err := p.volumes.files(ctx, volume)
		if err != nil {
			return fmt.Errorf("volume %s: %w", volume.Name, err)
		}
		if volume.ConfigMap != nil {
			for path, content := range files {
				files[path] = []byte(p.translate(mounts, string(content)) + configuration)
			}
		}
		if err := writeVolume(p.volumeFolder(volume.Name), files); err != nil {
			return fmt.Errorf("volume %s: %w", volume.Name, err)
		}
	}
	return nil
}

// CreatePod creates a pod of a Deployment, and the ReplicaSet that the pod belongs to. The API server admits the pod, or not, by the rules of
// the namespace.
func CreatePod(ctx context.Context, kube kubernetes.Interface, deployment *appsv1.Deployment, name string) (*corev1.Pod, error) {
	owner := metav1.NewControllerRef(deployment, appsv1.SchemeGroupVersion.WithKind("Deployment"))
	replicaSet, err := kube.AppsV1().ReplicaSets(deployment.Namespace).Create(ctx, &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, OwnerReferences: []metav1.OwnerReference{*owner}, Labels: deployment.Spec.Template.Labels,
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: deployment.Spec.Replicas, Selector: deployment.Spec.Selector, Template: deployment.Spec.Template,
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	pod := &corev1.Pod{ObjectMeta: deployment.Spec.Template.ObjectMeta, Spec: deployment.Spec.Template.Spec}
	pod.Name = name
	addToken(&pod.Spec)
	pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(replicaSet, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
	return kube.CoreV1().Pods(deployment.Namespace).Create(ctx, pod, metav1.CreateOptions{})
}

func (p *Pod) volumeFolder(volume string) string {
	return filepath.Join(p.folder, volume)
}

// translate returns a text in which paths below mount paths are paths on this machine.
func (p *Pod) translate(mounts []corev1.VolumeMount, text string) string {
	for _, mount := range mounts {
		text = strings.ReplaceAll(text, mount.MountPath+"/", p.volumeFolder(mount.Name)+"/")
	}
	return text
}

// environment returns the environment of the container's spec and what a kubelet adds, and nothing of this process. There is no
// folder for temporary files, as there is none on a read-only root file system.
func (p *Pod) environment(container corev1.Container, server *url.URL) ([]string, error) {
	environment := []string{
		"KUBERNETES_SERVICE_HOST=" + server.Hostname(), "KUBERNETES_SERVICE_PORT=" + server.Port(),
		"TMPDIR=" + filepath.Join(p.folder, "read-only"),
	}
	for _, variable := range container.Env {
		value := variable.Value
		if variable.ValueFrom != nil {
			var err error
			if value, err = p.volumes.field(variable.ValueFrom.FieldRef); err != nil {
				return nil, err
			}
		}
		environment = append(environment, variable.Name+"="+value)
	}
	return environment, nil
}

// kubeconfig writes a kubeconfig with what client-go finds in a pod.
func (p *Pod) kubeconfig(mounts []corev1.VolumeMount, server *url.URL) (string, error) {
	const name = "pod"
	path := filepath.Join(p.folder, "kubeconfig")
	return path, clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters: map[string]*clientcmdapi.Cluster{name: {
			Server: server.String(), CertificateAuthority: p.translate(mounts, serviceAccountFolder+"/ca.crt"),
		}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{name: {TokenFile: p.translate(mounts, serviceAccountFolder+"/token")}},
		Contexts:       map[string]*clientcmdapi.Context{name: {Cluster: name, AuthInfo: name}},
		CurrentContext: name,
	}, path)
}

// Refresh writes the files of a volume as they are in the API server by now, as a kubelet does within a minute or so.
func (p *Pod) Refresh(ctx context.Context, volume string) error {
	for _, each := range p.Object.Spec.Volumes {
		if each.Name != volume {
			continue
		}
		files, err := p.volumes.files(ctx, each)
		if err != nil {
			return err
		}
		return writeVolume(p.volumeFolder(volume), files)
	}
	return fmt.Errorf("the pod has no volume %s: %w", volume, os.ErrNotExist)
}
