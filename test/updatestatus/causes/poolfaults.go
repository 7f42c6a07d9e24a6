package causes

import (
	"math/rand/v2"

	"github.com/openshift/cluster-version-operator/test/updatestatus/simulator"
)

// This file has the faults of pools.

// pausedPool is a pool that is paused from the start.
func pausedPool() *fault {
	f := &fault{act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		at := 1 + random.IntN(len(script.Pools)-1)
		script.Pools[at].Paused = true
		f.insights = []about{{"pool-paused", script.Pools[at].Name}}
	}
	return f
}

// pausedMasters are required: machine-config is degraded at once.
func pausedMasters() *fault {
	return &fault{
		begin:    func(_ *rand.Rand, script *simulator.Update) { script.Pools[0].Paused = true },
		act:      func(*cluster) {},
		insights: []about{{"pool-paused", "master"}},
	}
}

// ofPool is a fault of a pool that is none of the control plane.
func ofPool(check string, change func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool)) *fault {
	f := &fault{lasts: true, act: func(*cluster) {}}
	f.begin = func(random *rand.Rand, script *simulator.Update) {
		pool := &script.Pools[1+random.IntN(len(script.Pools)-1)]
		change(random, script, pool)
		f.insights = []about{{check, pool.Name}}
	}
	return f
}

func failedRendering() *fault {
	return ofPool("pool-degraded", func(_ *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		script.RenderFails = map[string]string{pool.Name: "could not generate rendered MachineConfig: parsing Ignition config failed: unknown version"}
	})
}

func failedBuild() *fault {
	return ofPool("pool-degraded", func(random *rand.Rand, _ *simulator.Update, pool *simulator.Pool) {
		pool.ImageBuild, pool.BuildFails = minutes(5+random.IntN(20)), true
	})
}

// cordonedNode: what may be unavailable of a pool is used up by a node that an administrator has cordoned.
func cordonedNode() *fault {
	return ofPool("pool-not-starting", func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		script.Cordoned = map[string]bool{simulator.NodeName(pool.Name, random.IntN(pool.Nodes)): true}
	})
}

// cordonedInImageMode: the image is built, and the pool says that it waits for nodes.
func cordonedInImageMode() *fault {
	return ofPool("pool-not-starting", func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		script.From, script.To, pool.ImageBuild = "4.23.1", "4.23.2", minutes(5+random.IntN(10))
		script.Cordoned = map[string]bool{simulator.NodeName(pool.Name, random.IntN(pool.Nodes)): true}
	})
}

// skippedNode: more nodes of the pool might be unavailable, but all that is left is the one that an administrator has cordoned.
func skippedNode() *fault {
	return ofPool("pool-not-starting", func(random *rand.Rand, script *simulator.Update, pool *simulator.Pool) {
		pool.MaxUnavailable = 2
		script.Cordoned = map[string]bool{simulator.NodeName(pool.Name, random.IntN(pool.Nodes)): true}
	})
}

// stoppedController: no pool gets its configuration. They are told as one problem, by the first of them.
func stoppedController() *fault {
	return &fault{
		lasts: true, act: func(*cluster) {}, insights: []about{{"pool-not-starting", "infra"}},
		begin: func(_ *rand.Rand, script *simulator.Update) { script.NoController = true },
	}
}
