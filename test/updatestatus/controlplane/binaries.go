package controlplane

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

const (
	etcdBinary      = "etcd"
	apiServerBinary = "kube-apiserver"
	kubectlBinary   = "kubectl"
	// assetsVariable names another folder with the binaries, as it does for everything that is built on envtest.
	assetsVariable = "KUBEBUILDER_ASSETS"

	logSuffix  = ".log"
	logTailing = 20
)

// findBinaries returns the folder with the binaries of the control plane.
func findBinaries() (string, error) {
	folder := os.Getenv(assetsVariable)
	if folder == "" {
		root, err := repository.Root()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(root, "bin", "control-plane")
	}
	for _, binary := range []string{etcdBinary, apiServerBinary} {
		if _, err := os.Stat(filepath.Join(folder, binary)); err != nil {
			return "", fmt.Errorf("no control plane, hack/updatestatus/build-control-plane.sh builds one: %w", err)
		}
	}
	return folder, nil
}

// tailOfLogs returns the ends of the logs of the control plane's processes: why it did not start.
func tailOfLogs(dir string) string {
	var tails strings.Builder
	for _, binary := range []string{etcdBinary, apiServerBinary} {
		lines, err := tail(filepath.Join(dir, binary+logSuffix))
		if err != nil || len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&tails, "\n%s:\n%s", binary, strings.Join(lines, "\n"))
	}
	return tails.String()
}

func tail(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		if lines = append(lines, scanner.Text()); len(lines) > logTailing {
			lines = lines[1:]
		}
	}
	return lines, nil
}
