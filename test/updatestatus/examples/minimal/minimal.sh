#!/bin/sh
informer() {
cat <<END
apiVersion: update.openshift.io/v1alpha1
kind: UpdateInformer
metadata: {namespace: acme-storage, name: array}
status:
  renewedAt: $(date -u +%Y-%m-%dT%H:%M:%SZ)
  insights:
  - name: rebuilding
    reason: StorageRebuilding
    level: Warning
    impact: UpdateSpeed
    summary: The array rebuilds 12 of 96 disks
    resources: [{resource: nodes, name: worker-3}]
END
}
apply() { informer | oc apply --server-side --force-conflicts --field-manager=array-informer "$@" -f -; }
while true; do
	apply && apply --subresource=status  # the first creates it, and ignores the status
	sleep 60
done
