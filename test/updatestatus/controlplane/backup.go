package controlplane

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// BackupEtcd copies the data of etcd, which must have been killed, to a directory that must not exist.
func (c *ControlPlane) BackupEtcd(directory string) error {
	data, err := c.etcdData()
	if err != nil {
		return err
	}
	if err := os.CopyFS(directory, os.DirFS(data)); err != nil {
		return fmt.Errorf("copying the data of etcd: %w", err)
	}
	return nil
}

// RestoreEtcd replaces the data of etcd, which must have been killed, by a backup. The resourceVersions of the cluster go back.
func (c *ControlPlane) RestoreEtcd(directory string) error {
	data, err := c.etcdData()
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(data), os.CopyFS(data, os.DirFS(directory))); err != nil {
		return fmt.Errorf("restoring the data of etcd: %w", err)
	}
	return nil
}

// etcdData returns the directory of the data of etcd.
func (c *ControlPlane) etcdData() (string, error) {
	for _, argument := range c.killed[Etcd].arguments {
		if data, found := strings.CutPrefix(argument, "--data-dir="); found {
			return data, nil
		}
	}
	return "", errors.New("etcd was not killed, or runs without --data-dir")
}
