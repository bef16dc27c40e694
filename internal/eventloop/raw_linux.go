// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eventloop

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls of the system that a loop makes for each request. None of them waits, so the runtime is not told of them (unix.RawSyscall): a thread that comes back from one that it was told of may have lost its processor to
// another, if the system let a client run meanwhile, which an answer wakes up.

func read(file int, b []byte) (int, error) { return transfer(unix.SYS_READ, file, b) }

func writeSome(file int, b []byte) (int, error) { return transfer(unix.SYS_WRITE, file, b) }

func transfer(call uintptr, file int, b []byte) (int, error) {
	n, _, err := unix.RawSyscall(call, uintptr(file), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if err != 0 {
		return 0, err
	}
	return int(n), nil
}

// poll returns what has happened already.
func poll(epoll int, events []unix.EpollEvent) (int, error) {
	n, _, err := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	if err != 0 {
		return 0, err
	}
	return int(n), nil
}
