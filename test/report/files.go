package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"sigs.k8s.io/yaml"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/cli"
	"github.com/openshift/cluster-version-operator/pkg/report"
)

// writeFromFiles writes a report with the command, from a folder with what a must-gather has of the controller's objects.
func writeFromFiles(file string, in report.Input) error {
	folder, err := os.MkdirTemp("", "must-gather-")
	if err != nil {
		return fmt.Errorf("making a folder for the files: %w", err)
	}
	defer os.RemoveAll(folder)
	us := in.Status.DeepCopy()
	us.TypeMeta, us.Name = typeOf("UpdateStatus"), updatev1alpha1.SingletonName
	moment := in.Options.Now.UTC().Format("2006-01-02 15:04:05 -0700 MST")
	files := map[string]any{
		"updatestatuses.yaml": us,
		"updaterecords.yaml": &updatev1alpha1.UpdateRecord{
			TypeMeta: typeOf("UpdateRecord"), ObjectMeta: metav1.ObjectMeta{Name: in.RecordName}, Status: *in.Record,
		},
	}
	for name, object := range files {
		encoded, err := yaml.Marshal(object)
		if err != nil {
			return fmt.Errorf("encoding %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), encoded, 0o600); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "timestamp"), []byte(moment+"\n"+moment+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing the end of gathering: %w", err)
	}
	var said bytes.Buffer
	command := cli.NewReportCommand(genericclioptions.NewConfigFlags(false), genericiooptions.IOStreams{In: &bytes.Buffer{}, Out: &said, ErrOut: &said})
	command.SetArgs([]string{"--must-gather", folder, "--output-file", file})
	if err := command.Execute(); err != nil || said.Len() > 0 {
		return fmt.Errorf("the command: %w: %s", err, said.String())
	}
	return nil
}

func typeOf(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: updatev1alpha1.SchemeGroupVersion.String(), Kind: kind}
}
