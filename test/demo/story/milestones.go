package story

// milestone is something that becomes true once in an update. What is true when the update starts is left from the update
// before: a milestone is reached when it is true and was seen to be false since then.
type milestone struct {
	isTrue   func(*facts) bool
	headline string

	wasFalse bool
}

// milestones returns those of an update, in their order. The last ones are of the worker pools that the cluster has.
func milestones(workerPools []string) []*milestone {
	list := []*milestone{
		operatorUpdated("etcd"),
		operatorUpdated("kube-apiserver"),
		{
			isTrue:   func(f *facts) bool { return f.version != nil && f.version.Completion > 50 },
			headline: "More than half of the operators are updated",
		},
		{
			isTrue:   func(f *facts) bool { return trueOf(f.nodes) > 0 },
			headline: "The first nodes are being updated",
		},
		{
			isTrue:   (*facts).controlPlaneDone,
			headline: "The control plane is updated",
		},
	}
	for _, pool := range workerPools {
		list = append(list, &milestone{
			isTrue:   func(f *facts) bool { return f.pools[pool] },
			headline: "All nodes of pool " + pool + " are updated",
		})
	}
	return list
}

func operatorUpdated(name string) *milestone {
	return &milestone{
		isTrue:   func(f *facts) bool { return f.operators[name] },
		headline: "Operator " + name + " is updated",
	}
}
