// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hugepage

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"unsafe"
)

// madviseCollapse is MADV_COLLAPSE, of Linux 6.1 and later.
const madviseCollapse = 25

// settings is where the system says what it has huge pages for.
const settings = "/sys/kernel/mm/transparent_hugepage/"

// Size returns the size of a huge page; the page's address is a multiple of it. It returns 0 where
// there are none, or the system is set up to have none ("never"). Cost: it reads two small files,
// once.
var Size = sync.OnceValue(func() uintptr {
	enabled, err := os.ReadFile(settings + "enabled")
	if err != nil || bytes.Contains(enabled, []byte("[never]")) {
		return 0
	}
	text, err := os.ReadFile(settings + "hpage_pmd_size")
	if err != nil {
		return 0
	}
	size, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || size&(size-1) != 0 || size > largest || size <= uint64(os.Getpagesize()) ||
		os.Getpagesize() < leastPage {
		return 0
	}
	return uintptr(size)
})

// Missing returns how many bytes of the Size bytes at an address the system still has to give. The
// system has not given them yet, or has taken them back; in a huge page none are missing. address
// must be a multiple of Size. Cost: one system call. Errors: ErrRefused.
func Missing(address uintptr) (bytes uintptr, err error) {
	size, small := Size(), uintptr(os.Getpagesize())
	if size == 0 || address%size != 0 {
		return 0, errAddress(address, size)
	}
	var pages [largest / leastPage]byte
	if _, _, errno := syscall.Syscall(syscall.SYS_MINCORE, address, size, uintptr(unsafe.Pointer(&pages))); errno != 0 {
		return 0, fmt.Errorf("%w: %w", ErrRefused, errno)
	}
	for _, p := range pages[:size/small] {
		if p&1 == 0 {
			bytes += small
		}
	}
	return bytes, nil
}

// leastPage is the least size of what is no huge page.
const leastPage = 4 << 10

// Collapse has the Size bytes at an address lie in one huge page, all of them. address must be a
// multiple of Size. The process grows by what was missing. The bytes stay as they are; readers and
// writers of them wait meanwhile.
//
// Cost: a copy of a huge page; in a virtual machine the host may have to find the memory first.
// Errors: ErrRefused.
func Collapse(address uintptr) error {
	size := Size()
	if size == 0 || address%size != 0 {
		return errAddress(address, size)
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, address, size, madviseCollapse); errno != 0 {
		return fmt.Errorf("%w: %w", ErrRefused, errno)
	}
	return nil
}

func errAddress(address, size uintptr) error {
	return fmt.Errorf("%w: got address %#x, want a multiple of %d", ErrRefused, address, size)
}
