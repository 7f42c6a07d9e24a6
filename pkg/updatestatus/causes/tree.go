package causes

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
)

// Group is one problem for people: a health insight, or several with the same check, level and text about several objects.
type Group struct {
	// Members has at least one insight, ordered by the names of their objects.
	Members []Insight
	// Consequences are what the members cause, the worst first.
	Consequences []Group
	// AlsoCausedBy are the summaries of other causes of the members, and Above is how many consequences are listed below other causes. Only
	// Once sets them.
	AlsoCausedBy []string
	Above        int
}

// Tree returns the health insights of a status as causes with their consequences: the worst causes first, of the same level what
// tenants report last, then those with more consequences, then the older ones. What several causes lead to is below each of them. An insight whose causes are not
// in the status is a cause itself, so that each is in the result.
func Tree(all []Insight) []Group {
	t := tree{effects: map[*problem][]*problem{}}
	byRef := map[updatev1alpha1.HealthCause]*problem{}
	var problems []*problem
	for _, one := range all {
		if one.Health != nil {
			p := newProblem(one)
			problems, byRef[p.Ref()] = append(problems, p), p
		}
	}
	slices.SortFunc(problems, compareProblems)
	for _, p := range problems {
		for _, ref := range p.Health.CausedBy {
			if cause := byRef[ref]; cause != nil && cause != p {
				p.causes = append(p.causes, cause)
				t.effects[cause] = append(t.effects[cause], p)
			}
		}
	}
	roots := slices.DeleteFunc(slices.Clone(problems), func(p *problem) bool { return len(p.causes) > 0 })
	reached := map[*problem]bool{}
	for _, root := range roots {
		t.reach(root, reached)
	}
	// An object may have causes in a circle, though no controller writes such.
	for _, p := range problems {
		if !reached[p] {
			roots = append(roots, p)
			t.reach(p, reached)
		}
	}
	var groups []Group
	for _, members := range grouped(roots) {
		groups = append(groups, t.group(members, map[*problem]bool{}))
	}
	sortGroups(groups)
	return groups
}

// tree has what each problem causes.
type tree struct {
	effects map[*problem][]*problem
}

func (t tree) reach(from *problem, reached map[*problem]bool) {
	if reached[from] {
		return
	}
	reached[from] = true
	for _, effect := range t.effects[from] {
		t.reach(effect, reached)
	}
}

// group returns a group with its consequences, each of them once.
func (t tree) group(members []*problem, seen map[*problem]bool) Group {
	var g Group
	for _, member := range members {
		seen[member] = true
		g.Members = append(g.Members, member.Insight)
	}
	var effects []*problem
	for _, member := range members {
		for _, effect := range t.effects[member] {
			if !seen[effect] {
				seen[effect] = true
				effects = append(effects, effect)
			}
		}
	}
	for _, below := range grouped(effects) {
		g.Consequences = append(g.Consequences, t.group(below, seen))
	}
	sortGroups(g.Consequences)
	return g
}

// grouped returns problems by check, level and text, each group in the order of names.
func grouped(problems []*problem) [][]*problem {
	at := map[groupKey]int{}
	var groups [][]*problem
	for _, p := range problems {
		key := keyOf(p)
		place, found := at[key]
		if !found {
			place = len(groups)
			at[key], groups = place, append(groups, nil)
		}
		groups[place] = append(groups[place], p)
	}
	for _, members := range groups {
		slices.SortFunc(members, func(a, b *problem) int {
			return cmp.Or(cmp.Compare(a.object.Name, b.object.Name), cmp.Compare(a.UID, b.UID))
		})
	}
	return groups
}

func sortGroups(groups []Group) {
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(-cmp.Compare(insight.LevelRank(a.Level()), insight.LevelRank(b.Level())), cmp.Compare(a.trustRank(), b.trustRank()),
			-cmp.Compare(a.CountConsequences(), b.CountConsequences()),
			insight.CompareStarts(a.Since(), b.Since()), cmp.Compare(a.Summary(), b.Summary()), cmp.Compare(a.Members[0].UID, b.Members[0].UID))
	})
}

// Level returns the worst level of the members and of what they cause: a cause is as bad as its consequences.
func (g Group) Level() updatev1alpha1.HealthLevel {
	worst := g.Members[0].Health.Impact.Level
	for _, below := range g.Consequences {
		if level := below.Level(); insight.LevelRank(level) > insight.LevelRank(worst) {
			worst = level
		}
	}
	return worst
}

// NeedsAttention returns whether a member, or something that they cause, needs an administrator and has an impact.
func (g Group) NeedsAttention() bool {
	impact := g.Members[0].Health.Impact
	return insight.NeedsAttention(impact.Level) && impact.Type != updatev1alpha1.ImpactNone || slices.ContainsFunc(g.Consequences, Group.NeedsAttention)
}

// IsOfTenant returns whether anybody who may write objects in a namespace can have reported it.
func (g Group) IsOfTenant() bool {
	return g.Members[0].Health.Origin == updatev1alpha1.OriginTenant
}

// trustRank orders groups of the same level: what tenants report comes last.
func (g Group) trustRank() int {
	if g.IsOfTenant() {
		return 1
	}
	return 0
}

// Foremost returns the first of groups, at most a number of them, among which is at most one that a tenant reports: any number of those must
// not displace what the cluster itself reports.
func Foremost(groups []Group, most int) []Group {
	var foremost []Group
	hasTenant := false
	for _, group := range groups {
		if len(foremost) == most {
			break
		}
		if group.IsOfTenant() && hasTenant {
			continue
		}
		hasTenant = hasTenant || group.IsOfTenant()
		foremost = append(foremost, group)
	}
	return foremost
}

// Since returns when the first of the members started, nil if that is known of none.
func (g Group) Since() *metav1.Time {
	var since *metav1.Time
	for _, member := range g.Members {
		if started := member.Health.StartedAt; insight.CompareStarts(started, since) < 0 {
			since = started
		}
	}
	return since
}

// CountConsequences returns the number of health insights that the group causes, directly or not.
func (g Group) CountConsequences() int {
	count := g.Above
	for _, below := range g.Consequences {
		count += len(below.Members) + below.CountConsequences()
	}
	return count
}
