package gather

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-version-operator/pkg/updatestatus/kinds"
)

const namespace = "openshift-update-status-controller"

// Input is what Run needs.
type Input struct {
	// Config selects the cluster and the user.
	Config *rest.Config
	// Folder is where the files are written; it is created.
	Folder string
}

// collector is one run.
type collector struct {
	objects  dynamic.Interface
	metadata metadata.Interface
	kube     kubernetes.Interface
	folder   string
	// collected counts files with objects; failed are the errors on the way.
	collected int
	failed    []error
}

// Run collects what it can. What could not be collected is in errors.log; the error is about a folder that can't be written, or a
// cluster of which nothing could be read.
func Run(ctx context.Context, in Input) error {
	start := time.Now()
	g := &collector{folder: in.Folder}
	var errs [3]error
	g.objects, errs[0] = dynamic.NewForConfig(in.Config)
	g.metadata, errs[1] = metadata.NewForConfig(in.Config)
	g.kube, errs[2] = kubernetes.NewForConfig(in.Config)
	if err := errors.Join(errs[:]...); err != nil {
		return fmt.Errorf("building clients: %w", err)
	}
	if err := g.write(fmt.Sprintf("%s\n", start), "timestamp"); err != nil {
		return err
	}
	for kind := range kinds.All() {
		if kind.Gathered {
			g.note(g.kind(ctx, kind))
		}
	}
	for _, resource := range ofController {
		g.note(g.ofController(ctx, resource))
	}
	g.note(g.logs(ctx))
	if err := g.write(fmt.Sprintf("%s\n%s\n", start, time.Now()), "timestamp"); err != nil {
		return err
	}
	if len(g.failed) > 0 {
		if err := g.write(errors.Join(g.failed...).Error()+"\n", "errors.log"); err != nil {
			return err
		}
	}
	if g.collected == 0 {
		return fmt.Errorf("nothing was collected: %w", errors.Join(g.failed...))
	}
	return nil
}

// note keeps an error for errors.log.
func (g *collector) note(err error) {
	if err != nil {
		g.failed = append(g.failed, err)
	}
}

// write writes a file below the folder.
func (g *collector) write(content string, path ...string) error {
	file := filepath.Join(append([]string{g.folder}, path...)...)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return fmt.Errorf("creating a folder: %w", err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	if strings.HasSuffix(file, ".yaml") {
		g.collected++
	}
	return nil
}
