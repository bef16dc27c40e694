// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package audience

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped maps a file into memory.
func mapped(name string) (data []byte, unmap func() error, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() // a mapping needs no file
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	data, err = unix.Mmap(int(file.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	return data, func() error { return unix.Munmap(data) }, err
}
