package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/openshift/cluster-version-operator/test/updatestatus/pace"
)

const (
	// roomInterval is the interval at which those who wait for room look for it.
	roomInterval = 250 * time.Millisecond
	// quietRooms is how many control planes there are for each core of a quiet machine: tests wait for most of their time. On a busy one
	// there is one for each core.
	quietRooms = 2
	// busyStretch is from when on a machine is busy: work takes so many times as long.
	busyStretch = 3
)

// takeRoom returns room for one more control plane of a test, or nil if as many run on this machine as it carries, of all packages and
// users together. Closing it, or the end of the process, gives it back.
func takeRoom() (io.Closer, error) {
	rooms := runtime.NumCPU()
	if pace.Stretch() < busyStretch {
		rooms *= quietRooms
	}
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("update-status-control-planes-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for room := range rooms {
		taken, err := lock(filepath.Join(folder, strconv.Itoa(room)), unix.LOCK_NB)
		if err == nil {
			return taken, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // there is no room
}

// awaitRoom waits until there is room.
func awaitRoom(ctx context.Context) (room io.Closer, err error) {
	err = wait.PollUntilContextCancel(ctx, roomInterval, true, func(context.Context) (bool, error) {
		room, err = takeRoom()
		return room != nil, err
	})
	return room, err
}

// lock locks a file, which it creates, until it is closed or this process ends.
func lock(path string, flags int) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|flags); err != nil {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", path, err), file.Close())
	}
	return file, nil
}

// startIn starts a control plane, which gives back the room when it is stopped.
func startIn(ctx context.Context, room io.Closer, options Options) (*ControlPlane, error) {
	plane, err := Start(ctx, options)
	if err != nil {
		return nil, errors.Join(err, room.Close())
	}
	plane.held = append(plane.held, room)
	return plane, nil
}
