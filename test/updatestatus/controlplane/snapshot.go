package controlplane

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

// snapshot returns a folder with the data of etcd of a control plane that has the contents. It is made once for all tests, by installing the
// contents: to start with it takes a fraction of the time and CPU of that.
func (c contents) snapshot(ctx context.Context, binaries string) (path string, err error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	key, err := c.key(binaries)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(root, "bin", "snapshots")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(folder, key)
	// The tests of other packages wait for it.
	making, err := lock(path+".lock", 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, making.Close()) }()
	if _, err := os.Stat(path); err == nil || !os.IsNotExist(err) {
		return path, err
	}
	return path, c.makeSnapshot(ctx, binaries, path)
}

// key returns a name for the contents, as these binaries store them.
func (c contents) key(binaries string) (string, error) {
	hash := sha256.New()
	encoder := json.NewEncoder(hash)
	if err := errors.Join(encoder.Encode(c.crds), encoder.Encode(c.objects), encoder.Encode(namespaces)); err != nil {
		return "", err
	}
	for _, binary := range []string{etcdBinary, apiServerBinary} {
		info, err := os.Stat(filepath.Join(binaries, binary))
		if err != nil {
			return "", err
		}
		if err := encoder.Encode([]any{binaries, info.Size(), info.ModTime()}); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

func (c contents) makeSnapshot(ctx context.Context, binaries, path string) (err error) {
	plane, err := start(ctx, binaries, Options{}, "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	if err := plane.install(ctx, c); err != nil {
		return err
	}
	data := plane.environment.ControlPlane.Etcd.DataDir
	if err := plane.stopProcesses(); err != nil {
		return err
	}
	return os.Rename(data, path)
}
