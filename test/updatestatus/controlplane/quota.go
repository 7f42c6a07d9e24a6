package controlplane

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// FillEtcd lets etcd refuse everything that takes space, as when its database has reached its quota, until FreeEtcd.
func (c *ControlPlane) FillEtcd(ctx context.Context) error {
	return c.alarm(ctx, "ACTIVATE")
}

// FreeEtcd lets etcd accept writes again, as an administrator does after a defragmentation.
func (c *ControlPlane) FreeEtcd(ctx context.Context) error {
	return c.alarm(ctx, "DEACTIVATE")
}

// alarm raises the alarm about space, or takes it back, by the JSON gateway of etcd: etcdctl alarm does the same.
func (c *ControlPlane) alarm(ctx context.Context, action string) error {
	url := c.environment.ControlPlane.Etcd.URL.JoinPath("v3/maintenance/alarm").String()
	body := strings.NewReader(fmt.Sprintf(`{"action":%q,"alarm":"NOSPACE"}`, action))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return fmt.Errorf("the alarm of etcd: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the alarm of etcd: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("the alarm of etcd: %s: %s", response.Status, text)
	}
	return nil
}
