package faults

import (
	"context"
	"errors"
	"fmt"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// throttle lets the API server execute no request of the controller, by API priority and fairness: it responds 429. That
// affects its lease too, and not its open watches.
func throttle(ctx context.Context, w *World) error {
	const name = "throttled"
	levels, flows := w.kube.FlowcontrolV1().PriorityLevelConfigurations(), w.kube.FlowcontrolV1().FlowSchemas()
	level := &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: ptr.To[int32](0), BorrowingLimitPercent: ptr.To[int32](0),
				LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
			},
		},
	}
	flow := &flowcontrolv1.FlowSchema{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: name},
			MatchingPrecedence:         2, // before all that the API server has, but for the exempt one
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolv1.Subject{{
					Kind: rbacv1.ServiceAccountKind,
					ServiceAccount: &flowcontrolv1.ServiceAccountSubject{
						Namespace: controlplane.ServiceAccount.Namespace, Name: controlplane.ServiceAccount.Name,
					},
				}},
				ResourceRules: []flowcontrolv1.ResourcePolicyRule{{
					Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, ClusterScope: true, Namespaces: []string{"*"},
				}},
			}},
		},
	}
	return w.refuseWrites(ctx, func(ctx context.Context) error {
		if _, err := levels.Create(ctx, level, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the priority level: %w", err)
		}
		if _, err := flows.Create(ctx, flow, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the flow schema: %w", err)
		}
		return nil
	}, func(ctx context.Context) error {
		err := errors.Join(flows.Delete(ctx, name, metav1.DeleteOptions{}), levels.Delete(ctx, name, metav1.DeleteOptions{}))
		if err != nil {
			return fmt.Errorf("removing the priority level: %w", err)
		}
		return nil
	})
}
