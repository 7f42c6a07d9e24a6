package harness

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
	"github.com/openshift/cluster-version-operator/test/updatestatus/repository"
)

const (
	// logFolder is the folder of the logs of tests, in the repository.
	logFolder = "bin/test/logs"
	// shownLines is how many lines of a long text are shown.
	shownLines = 40
)

// Stall is how long tests wait without any progress, on a quiet machine, for something that takes milliseconds: only a hang takes so long.
const Stall = time.Minute

// Log is what a process writes, in memory and in a file.
type Log struct {
	t    testing.TB
	path string

	lock sync.Mutex
	text strings.Builder
	file *os.File
	// changed is closed and replaced with each write.
	changed chan struct{}
}

// LogFile returns the log of a process of a test, or of whatever else is too long for the output of the test. A test that fails names its
// file, which is in bin/test/logs.
func LogFile(t testing.TB, name string) *Log {
	t.Helper()
	file, path, err := createLog(strings.NewReplacer("/", "-", " ", "-").Replace(t.Name() + "-" + name + ".log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = file.Close()
		if t.Failed() {
			t.Logf("the log of %s: %s", name, path)
		}
	})
	return &Log{t: t, path: path, file: file, changed: make(chan struct{})}
}

// createLog creates a file in the folder of logs of the package that is tested, and returns its path in the repository.
func createLog(name string) (file *os.File, path string, err error) {
	tested, err := os.Getwd()
	if err != nil {
		return nil, "", err
	}
	path = filepath.Join(filepath.Base(tested), name)
	file, err = CreateLog(path)
	return file, filepath.Join(logFolder, path), err
}

// CreateLog creates a file for a log, which several processes may write, in bin/test/logs of the repository.
func CreateLog(path string) (*os.File, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	path = filepath.Join(root, logFolder, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600)
}

// inProcess redirects the log of this process, and returns the path of its file.
var inProcess = sync.OnceValues(func() (string, error) {
	file, path, err := createLog("in-process.log")
	if err != nil {
		return "", err
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL", "one_output": "true"} {
		if err := flags.Set(name, value); err != nil {
			return "", err
		}
	}
	klog.SetOutput(file)
	return path, nil
})

// LogInProcess returns the logger of a controller that a test runs in this process. All of them log into one file, in which each line names
// its test, and which the test names if it fails.
func LogInProcess(t testing.TB) klog.Logger {
	t.Helper()
	path, err := inProcess()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log of controllers in the process: %s", path)
		}
	})
	return klog.LoggerWithValues(klog.Background(), "test", t.Name())
}

// Cut returns a text of a test that fails. Of a long one it returns the first lines, and names a file that has all of it.
func Cut(t testing.TB, text string) string {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= shownLines+1 {
		return text
	}
	file, path, err := createLog(fmt.Sprintf("%s-%d.txt", strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()), time.Now().UnixNano()))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s… all %d lines are in %s", strings.Join(lines[:shownLines], ""), len(lines), path)
}

// Write implements io.Writer.
func (l *Log) Write(content []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	close(l.changed)
	l.changed = make(chan struct{})
	l.text.Write(content)
	// The file is closed at the end of the test, which what is tested may outlive.
	_, _ = l.file.Write(content)
	return len(content), nil
}

// String returns what was written so far.
func (l *Log) String() string {
	text, _ := l.state()
	return text
}

func (l *Log) state() (string, <-chan struct{}) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String(), l.changed
}

// Until waits until a text was written, and otherwise fails the test.
func (l *Log) Until(ctx context.Context, text string) {
	l.t.Helper()
	ctx, cancel := pace.WithTimeout(ctx, Stall)
	defer cancel()
	for {
		written, changed := l.state()
		if strings.Contains(written, text) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			l.t.Fatalf("waiting for %q in %s: %v", text, l.path, context.Cause(ctx))
		}
	}
}
