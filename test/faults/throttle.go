package faults

import (
	"context"
	"errors"
	"fmt"
	"io"

	authorizationv1 "k8s.io/api/authorization/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/controlplane"
)

// throttled is the name of the priority level of the controller.
const throttled = "throttled"

// throttle lets the API server execute one request of the controller at a time, by API priority and fairness, and occupies it: the API
// server responds 429. That affects its lease too, and not its open watches.
func throttle(ctx context.Context, w *World) error {
	account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return err //nolint:wrapcheck // it says what it is about
	}
	controller, err := kubernetes.NewForConfig(account)
	if err != nil {
		return fmt.Errorf("building a client: %w", err)
	}
	occupied, free := context.WithCancel(context.WithoutCancel(ctx))
	defer free()
	levels, flows := w.kube.FlowcontrolV1().PriorityLevelConfigurations(), w.kube.FlowcontrolV1().FlowSchemas()
	return w.refuseWrites(ctx, func(ctx context.Context) error {
		if _, err := levels.Create(ctx, throttledLevel(), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the priority level: %w", err)
		}
		if _, err := flows.Create(ctx, throttledFlow(), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating the flow schema: %w", err)
		}
		go occupy(occupied, controller)
		return waitUntilThrottled(ctx, controller)
	}, func(ctx context.Context) error {
		free()
		if err := errors.Join(flows.Delete(ctx, throttled, metav1.DeleteOptions{}), levels.Delete(ctx, throttled, metav1.DeleteOptions{})); err != nil {
			return fmt.Errorf("removing the priority level: %w", err)
		}
		return nil
	})
}

// throttledLevel has no share of the concurrency of the API server, which still executes one request at a time.
func throttledLevel() *flowcontrolv1.PriorityLevelConfiguration {
	return &flowcontrolv1.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: throttled},
		Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
			Type: flowcontrolv1.PriorityLevelEnablementLimited,
			Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: ptr.To[int32](0), BorrowingLimitPercent: ptr.To[int32](0),
				LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject},
			},
		},
	}
}

func throttledFlow() *flowcontrolv1.FlowSchema {
	return &flowcontrolv1.FlowSchema{
		ObjectMeta: metav1.ObjectMeta{Name: throttled},
		Spec: flowcontrolv1.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: throttled},
			// It is the first one after the one that exempts administrators.
			MatchingPrecedence: 2,
			Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
				Subjects: []flowcontrolv1.Subject{{
					Kind: flowcontrolv1.SubjectKindServiceAccount,
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
}

// occupy makes requests whose body does not end, one at a time, until the context ends.
func occupy(ctx context.Context, controller kubernetes.Interface) {
	for ctx.Err() == nil {
		body, end := io.Pipe()
		_ = reviews(controller).SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body).Do(ctx).Error()
		_ = end.Close()
	}
}

// waitUntilThrottled waits until the API server refuses to execute a request.
func waitUntilThrottled(ctx context.Context, controller kubernetes.Interface) error {
	err := wait.PollUntilContextTimeout(ctx, pollInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		err := reviews(controller).MaxRetries(0).Body(&authorizationv1.SelfSubjectAccessReview{}).Do(ctx).Error()
		return apierrors.IsTooManyRequests(err), nil
	})
	if err != nil {
		return fmt.Errorf("waiting until the controller is throttled: %w", err)
	}
	return nil
}

// reviews returns a request that everyone may make and that changes nothing.
func reviews(controller kubernetes.Interface) *rest.Request {
	return controller.AuthorizationV1().RESTClient().Post().Resource("selfsubjectaccessreviews")
}
