package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	authorizationv1 "k8s.io/api/authorization/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-version-operator/test/updatestatus/controlplane"
)

// throttled is the name of the priority level of the controller.
const throttled = "throttled"

// throttle lets the API server execute one request of the controller at a time, by API priority and fairness, and occupies it: the API
// server responds 429. That affects its lease too, and not its open watches.
func throttle(ctx context.Context, w *World) error {
	account, err := w.Plane.As(ctx, controlplane.ServiceAccount)
	if err != nil {
		return err
	}
	controller, errKube := kubernetes.NewForConfig(account)
	client, errClient := rest.HTTPClientFor(account)
	if err := errors.Join(errKube, errClient); err != nil {
		return fmt.Errorf("building clients: %w", err)
	}
	occupied, free := context.WithCancel(context.WithoutCancel(ctx))
	defer free()
	levels, flows := w.kube.FlowcontrolV1().PriorityLevelConfigurations(), w.kube.FlowcontrolV1().FlowSchemas()
	return w.refuseWrites(ctx, func(ctx context.Context) error {
		_, errLevel := levels.Create(ctx, throttledLevel(), metav1.CreateOptions{})
		flow, errFlow := flows.Create(ctx, throttledFlow(), metav1.CreateOptions{})
		if err := errors.Join(errLevel, errFlow); err != nil {
			return err
		}
		// A request that started before would occupy another level.
		err := w.await(ctx, "the flow schema to be used", func(ctx context.Context) (bool, error) {
			used, err := flowSchemaOf(ctx, client, account.Host+"/apis/config.openshift.io/v1/clusteroperators?limit=1")
			return used == string(flow.UID), err
		})
		if err != nil {
			return err
		}
		go occupy(occupied, controller)
		return w.await(ctx, "the controller to be throttled", func(ctx context.Context) (bool, error) {
			err := reviews(controller).MaxRetries(0).Body(&authorizationv1.SelfSubjectAccessReview{}).Do(ctx).Error()
			return apierrors.IsTooManyRequests(err), nil
		})
	}, func(ctx context.Context) error {
		free()
		return errors.Join(flows.Delete(ctx, throttled, metav1.DeleteOptions{}), levels.Delete(ctx, throttled, metav1.DeleteOptions{}))
	})
}

// flowSchemaOf returns the uid of the flow schema of a request.
func flowSchemaOf(ctx context.Context, client *http.Client, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	return response.Header.Get(flowcontrolv1.ResponseHeaderMatchedFlowSchemaUID), response.Body.Close()
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

// reviews returns a request that everyone may make and that changes nothing.
func reviews(controller kubernetes.Interface) *rest.Request {
	return controller.AuthorizationV1().RESTClient().Post().Resource("selfsubjectaccessreviews")
}
