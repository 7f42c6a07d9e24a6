package conformance

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	machineconfigv1 "github.com/openshift/api/machineconfiguration/v1"

	updatev1alpha1 "github.com/openshift/cluster-version-operator/pkg/apis/update/v1alpha1"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/cli"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/describe"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/insight"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/snapshot"
	"github.com/openshift/cluster-version-operator/pkg/updatestatus/update"
	"github.com/openshift/cluster-version-operator/test/updatestatus/invariants"
	"github.com/openshift/cluster-version-operator/test/updatestatus/mustgather"
)

// shown is what the client shows of a must-gather.
type shown struct {
	out, errOut string
	err         error
	// truths are the claims that are true of the cluster, of the whole only.
	truths map[string]bool
}

func show(t *testing.T, input io.Reader, path string) shown {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := cli.NewCommand(genericclioptions.NewConfigFlags(false), genericiooptions.IOStreams{In: input, Out: &out, ErrOut: &errOut})
	cmd.SetArgs([]string{"--classic", "--must-gather", path})
	err := cmd.ExecuteContext(t.Context())
	return shown{out: out.String(), errOut: errOut.String(), err: err}
}

// endOf returns when gathering ended.
func endOf(recorded *snapshot.Snapshot) time.Time {
	return recorded.NewestTransition(time.Now()).Add(30 * time.Minute).UTC()
}

// TestMustGather checks that a recorded cluster in the layout of a must-gather, as a folder and as an archive, is shown as of
// the end of gathering, with its alerts, and that lists beside the objects are no problem.
func TestMustGather(t *testing.T) {
	eachCluster(t, func(t *testing.T, _ Recorded, recorded *snapshot.Snapshot) {
		end := endOf(recorded)
		slices.SortFunc(recorded.MachineConfigPools, func(a, b *machineconfigv1.MachineConfigPool) int { return strings.Compare(a.Name, b.Name) }) // as an API server lists them
		files, err := mustgather.Files(mustgather.Input{Cluster: recorded, End: end, Lists: true})
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := describe.Write(&want, update.ReadAt(&recorded.Assess(end).Status, end), describe.Options{Now: end}); err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		if err := mustgather.Write(folder, files); err != nil {
			t.Fatal(err)
		}
		archive, err := mustgather.Archive(files)
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string]shown{"folder": show(t, nil, folder), "archive": show(t, bytes.NewReader(archive), "-")} {
			if diff := cmp.Diff(want.String(), got.out); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if !strings.Contains(got.errOut, "as of "+end.Format(time.RFC3339)+", the end of gathering") || strings.Contains(got.errOut, "no alerts in these files") {
				t.Errorf("%s: warnings:\n%s", name, got.errOut)
			}
		}
	})
}

// TestIncompleteMustGather checks that nothing is shown as further than it is, and that nothing is lost silently: without a file of each
// kind in turn, and with half of it.
func TestIncompleteMustGather(t *testing.T) {
	damages{tenths: []int{5}}.expectNotBetter(t)
}

// TestLongIncompleteMustGather checks the same without each of the files, and with one of each kind cut off at each tenth of its bytes.
func TestLongIncompleteMustGather(t *testing.T) {
	damages{eachFile: true, tenths: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}.expectNotBetter(t)
}

// damages are what is done to must-gathers.
type damages struct {
	// eachFile is whether each file is missing once, and not only one of each folder.
	eachFile bool
	// tenths are where one file of each folder is cut off.
	tenths []int
}

func (d damages) expectNotBetter(t *testing.T) {
	t.Helper()
	eachCluster(t, func(t *testing.T, _ Recorded, recorded *snapshot.Snapshot) {
		end := endOf(recorded)
		files, err := mustgather.Files(mustgather.Input{Cluster: recorded, End: end})
		if err != nil {
			t.Fatal(err)
		}
		t.Parallel()
		whole := showFiles(t, files)
		whole.truths = truths(recorded.Assess(end), whole.out)
		folder := ""
		for _, name := range slices.Sorted(maps.Keys(files)) {
			isFirst := path.Dir(name) != folder
			folder = path.Dir(name)
			damaged := maps.Clone(files)
			delete(damaged, name)
			// Without the timestamp all is as of an earlier time, and true then.
			if name != "timestamp" && (isFirst || d.eachFile) {
				expectNotBetter(t, "without "+path.Base(name), whole, showFiles(t, damaged))
			}
			if !isFirst {
				continue
			}
			for _, tenth := range d.tenths {
				cut := len(files[name]) * tenth / 10
				damaged[name] = files[name][:cut]
				expectNotBetter(t, fmt.Sprintf("with %d of %d bytes of %s", cut, len(files[name]), path.Base(name)), whole, showFiles(t, damaged))
			}
		}
	})
}

// TestDamagedArchive checks the same for an archive that is cut off at each tenth of its bytes.
func TestDamagedArchive(t *testing.T) {
	eachCluster(t, func(t *testing.T, _ Recorded, recorded *snapshot.Snapshot) {
		end := endOf(recorded)
		files, err := mustgather.Files(mustgather.Input{Cluster: recorded, End: end, Lists: true})
		if err != nil {
			t.Fatal(err)
		}
		archive, err := mustgather.Archive(files)
		if err != nil {
			t.Fatal(err)
		}
		whole := show(t, bytes.NewReader(archive), "-")
		whole.truths = truths(recorded.Assess(end), whole.out)
		for tenth := range 10 {
			cut := len(archive) * tenth / 10
			name := filepath.Join(t.TempDir(), "must-gather.tar.gz.part")
			if err := os.WriteFile(name, archive[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			got := show(t, nil, name)
			expectNotBetter(t, fmt.Sprintf("%d of %d bytes", cut, len(archive)), whole, got)
			if got.err == nil && !strings.Contains(got.errOut, "warning: incomplete") {
				t.Errorf("%d of %d bytes: no error:\n%s%s", cut, len(archive), got.errOut, got.out)
			}
		}
	})
}

func showFiles(t *testing.T, files map[string]string) shown {
	t.Helper()
	archive, err := mustgather.Archive(files)
	if err != nil {
		t.Fatal(err)
	}
	return show(t, bytes.NewReader(archive), "-")
}

// claim matches what says that something is complete, after the first word of its line.
var claim = regexp.MustCompile(`(?m)^(\S+).*(Completed|\b100%|successfully|not updating|proceeding well)`)

// truths returns the claims that are true of a cluster.
func truths(us *updatev1alpha1.UpdateStatus, whole string) map[string]bool {
	isTrue := map[string]bool{}
	for _, match := range claim.FindAllStringSubmatch(whole, -1) {
		isTrue[match[1]+" "+match[2]] = true
	}
	if update.Read(&us.Status).ControlPlane.IsComplete() {
		for _, key := range []string{"Update successfully", "All successfully", "Assessment: Completed", "Completion: 100%"} {
			isTrue[key] = true
		}
	}
	for _, one := range invariants.Insights(&us.Status) {
		switch {
		case one.Node != nil && insight.StateOf(one.Node).Phase == insight.PhaseCompleted:
			isTrue[one.Node.Name+" Completed"] = true
		case one.MachineConfigPool != nil && one.MachineConfigPool.Completion == 100:
			isTrue[one.MachineConfigPool.Name+" Completed"], isTrue[one.MachineConfigPool.Name+" 100%"] = true, true
		}
	}
	return isTrue
}

// expectNotBetter checks that an incomplete must-gather claims nothing that is not true, and that if its text differs from that
// of the whole there is an error or a warning.
func expectNotBetter(t *testing.T, name string, whole, got shown) {
	t.Helper()
	for _, match := range claim.FindAllStringSubmatch(got.out, -1) {
		if !whole.truths[match[1]+" "+match[2]] {
			t.Errorf("%s: it claims %q", name, match[0])
		}
	}
	if isSilent := got.err == nil && got.errOut == whole.errOut; isSilent && got.out != whole.out {
		t.Errorf("%s: the text changes silently:\n%s", name, cmp.Diff(whole.out, got.out))
	}
}
