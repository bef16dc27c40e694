// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package rewrites

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// fileBytes is when a new file is begun, as Badger does.
const fileBytes = 64 << 20

// appended is the disk alone: a batch is appended to a file in one piece, and synced.
type appended struct {
	path    string
	file    *os.File
	written int
	buffer  []byte
}

func newAppended(dir string) *appended { return &appended{path: filepath.Join(dir, "appended")} }

func (*appended) name() string { return "disk: append, fdatasync" }

func (a *appended) begin() (err error) {
	a.written = 0
	a.file, err = os.Create(a.path)
	return err
}

func (a *appended) write(numbers []int, page func(int) []byte) error {
	if a.written > fileBytes {
		if err := errors.Join(a.end(), a.begin()); err != nil {
			return err
		}
	}
	a.buffer = a.buffer[:0]
	for i := range numbers {
		a.buffer = append(a.buffer, page(i)...)
	}
	a.written += len(a.buffer)
	if _, err := a.file.Write(a.buffer); err != nil {
		return err
	}
	return syscall.Fdatasync(int(a.file.Fd()))
}

func (a *appended) end() error { return errors.Join(a.file.Close(), os.Remove(a.path)) }

func (*appended) close() error { return nil }

// mapped is the disk as Badger's value log uses it: a batch is copied into a mapped file of holes,
// page by page, and the mapping is synced.
type mapped struct {
	path    string
	file    *os.File
	data    []byte
	written int
}

func newMapped(dir string) *mapped { return &mapped{path: filepath.Join(dir, "mapped")} }

func (*mapped) name() string { return "disk: copy into a mapped file of holes, msync" }

func (m *mapped) begin() (err error) {
	m.written = 0
	if m.file, err = os.Create(m.path); err != nil {
		return err
	}
	if err = m.file.Truncate(2 * fileBytes); err == nil {
		m.data, err = syscall.Mmap(int(m.file.Fd()), 0, 2*fileBytes, syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED)
	}
	if err == nil {
		err = syscall.Madvise(m.data, syscall.MADV_RANDOM)
	}
	return err
}

func (m *mapped) write(numbers []int, page func(int) []byte) error {
	if m.written > fileBytes {
		if err := errors.Join(m.end(), m.begin()); err != nil {
			return err
		}
	}
	for i := range numbers {
		n := copy(m.data[m.written:], page(i))
		m.written += n
	}
	if _, _, code := syscall.Syscall(syscall.SYS_MSYNC, uintptr(unsafe.Pointer(&m.data[0])), uintptr(len(m.data)),
		syscall.MS_SYNC); code != 0 {
		return code
	}
	return nil
}

func (m *mapped) end() error {
	return errors.Join(syscall.Munmap(m.data), m.file.Close(), os.Remove(m.path))
}

func (*mapped) close() error { return nil }
