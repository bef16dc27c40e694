// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// share lets goroutines that wait for the network have the processor. runtime.Gosched does not: it only lets those go on that are known to be ready, and while there are some the runtime does not look at the network. Who
// waits for a file makes it look, so share waits for one that is made ready at that moment.
type share struct {
	file *os.File // an eventfd
	raw  syscall.RawConn
}

func newShare() (*share, error) {
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("eventfd", err)
	}
	file := os.NewFile(uintptr(fd), "eventfd")
	raw, err := file.SyscallConn()
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return &share{file: file, raw: raw}, nil
}

// processor returns when all were looked at.
func (s *share) processor() {
	waits := false
	_ = s.raw.Read(func(fd uintptr) bool {
		if waits {
			var count [8]byte
			_, _ = unix.Read(int(fd), count[:])
			return true
		}
		waits = true
		_, err := unix.Write(int(fd), []byte{1, 0, 0, 0, 0, 0, 0, 0})
		return err != nil // or it would wait for ever
	})
}

func (s *share) close() { _ = s.file.Close() }
