package controlplane

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

const auditLog = "audit" + logSuffix

// auditFlags make the API server record every request of a ServiceAccount when it has answered it, and a watch when it has
// begun to.
func auditFlags(dir string, account types.NamespacedName) (map[string]string, error) {
	policy, err := json.Marshal(auditv1.Policy{
		TypeMeta:   metav1.TypeMeta{APIVersion: auditv1.SchemeGroupVersion.String(), Kind: "Policy"},
		OmitStages: []auditv1.Stage{auditv1.StageRequestReceived},
		Rules: []auditv1.PolicyRule{
			{Level: auditv1.LevelMetadata, Users: []string{serviceaccount.MakeUsername(account.Namespace, account.Name)}},
			{Level: auditv1.LevelNone},
		},
	})
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "audit-policy.yaml")
	if err := os.WriteFile(path, policy, 0o600); err != nil {
		return nil, err
	}
	return map[string]string{
		"audit-policy-file": path,
		"audit-log-path":    filepath.Join(dir, auditLog),
		// An answer is sent only when it is recorded.
		"audit-log-mode": "blocking-strict",
	}, nil
}

// Requests returns what the one of Options.Audited has asked for since the start, in the order of the answers. A watch that
// has ended is there twice.
func (c *ControlPlane) Requests() ([]auditv1.Event, error) {
	file, err := os.Open(filepath.Join(c.dir, auditLog))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var events []auditv1.Event
	for decoder := json.NewDecoder(file); ; {
		var event auditv1.Event
		err := decoder.Decode(&event)
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, fmt.Errorf("audit log: %w", err)
		}
		events = append(events, event)
	}
}
