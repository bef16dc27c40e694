// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package folder is an engine of objects in a folder of one machine, or of a file system that
// several machines have mounted. An object is a file of its name. It is written beside, synced, and
// then linked under its name, which fails when there is one: no two processes can both do so.
package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

const (
	// beside is the folder of files that have no name yet. No object has a name with a point first.
	beside = ".writing"

	// leftover is the age from which a file there is of a process that ended while it wrote.
	leftover = time.Hour

	// attempts is how often a folder is made that others remove at the same time.
	attempts = 100
)

// Engine is a folder. Safe for concurrent use, also by many processes.
type Engine struct {
	dir    string
	synced sync.Map // folders of the first level whose names are durable: they are never removed
}

// Open returns an engine over a folder, which it makes. Errors: the file system's.
func Open(dir string) (*Engine, error) {
	e := &Engine{dir: filepath.Clean(dir)}
	if err := makeDurably(filepath.Join(e.dir, beside)); err != nil {
		return nil, fmt.Errorf("ship/folder: make folder %s: %w", dir, err)
	}
	entries, err := os.ReadDir(filepath.Join(e.dir, beside))
	if err != nil {
		return nil, fmt.Errorf("ship/folder: %w", err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > leftover {
			_ = os.Remove(filepath.Join(e.dir, beside, entry.Name())) // the next one will
		}
	}
	return e, nil
}

// makeDurably makes a folder and those above it, and syncs every folder that got a new name.
func makeDurably(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := makeDurably(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(above)
}

// file returns where an object is.
func (e *Engine) file(name string) string { return filepath.Join(e.dir, filepath.FromSlash(name)) }

// failure turns an error of the file system into one of the contract.
func failure(what, name string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		err = fmt.Errorf("%w: %w", store.ErrFull, err)
	case errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ETIMEDOUT) || errors.Is(err, syscall.EINTR) ||
		errors.Is(err, syscall.EBUSY) || unreachable(err):
		err = fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return fmt.Errorf("ship/folder: %s %s: %w", what, name, err)
}

// Create implements ship.Engine.
func (e *Engine) Create(ctx context.Context, name string, data []byte) error {
	if err := errors.Join(ctx.Err(), ship.CheckObject(name, data)); err != nil {
		return err
	}
	written, err := e.write(data)
	if err != nil {
		return failure("write", name, err)
	}
	defer func() { _ = os.Remove(written) }() // what stays is a leftover
	if err := ctx.Err(); err != nil {
		return err
	}
	file := e.file(name)
	for range attempts {
		if err = os.Link(written, file); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err = e.makeFolders(filepath.Dir(file)); err != nil {
			break
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		there, statErr := os.Lstat(file)
		ours, err := os.Stat(written)
		switch {
		case statErr == nil && there.IsDir():
			return fmt.Errorf("ship/folder: create %s: it is a folder of objects, want a name that is none", name)
		case statErr == nil && err == nil && os.SameFile(there, ours):
			// A network file system has made the link, lost its reply and asked once more.
		default:
			return fmt.Errorf("%w: %s", ship.ErrExists, name)
		}
	case err != nil:
		return failure("create", name, err)
	}
	if err := e.syncAbove(file); err != nil {
		return fmt.Errorf("ship/folder: sync %s: %w: %w", name, store.ErrUnavailable, err)
	}
	return nil
}

// write writes data into a file without a name, and syncs it.
func (e *Engine) write(data []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Join(e.dir, beside), "")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o444)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// makeFolders makes the folders of an object. syncAbove makes them durable.
func (e *Engine) makeFolders(dir string) error {
	if dir == e.dir {
		return fmt.Errorf("folder %s is gone: %w", dir, store.ErrUnavailable)
	}
	err := os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrNotExist) {
		if err = e.makeFolders(filepath.Dir(dir)); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o777)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil // made, or removed, by another; the link says so
	}
	return err
}

// syncAbove makes the name of an object durable, and those of the folders above it: another process
// may have made them and not have come to sync them.
func (e *Engine) syncAbove(file string) error {
	for at := filepath.Dir(file); ; at = filepath.Dir(at) {
		if err := syncFolder(at); err != nil {
			return err
		}
		if at == e.dir {
			return nil
		}
		if filepath.Dir(at) == e.dir {
			if _, done := e.synced.Load(at); done {
				return nil
			}
			defer e.synced.Store(at, true)
		}
	}
}

// Get implements ship.Engine.
func (e *Engine) Get(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return nil, err
	}
	f, err := os.Open(e.file(name))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("%w: %s", store.ErrNotFound, name)
	}
	if err != nil {
		return nil, failure("open", name, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, failure("open", name, err)
	case info.IsDir():
		return nil, fmt.Errorf("%w: %s", store.ErrNotFound, name)
	case !info.Mode().IsRegular() || info.Size() > ship.MaxObject:
		return nil, fmt.Errorf("ship/folder: get %s: got a file of %d bytes and mode %v, want at most %d in a plain file",
			name, info.Size(), info.Mode(), ship.MaxObject)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, failure("read", name, err)
	}
	// While the file still has its second name, its creator may not have come to make this one
	// durable. Who read it must not know more than is there after a power cut.
	if links(info) != 1 {
		if err := e.syncAbove(e.file(name)); err != nil {
			return nil, failure("sync", name, err)
		}
	}
	return data, ctx.Err()
}

// Delete implements ship.Engine. It removes a folder that has become empty, but for those of the
// first level.
func (e *Engine) Delete(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return err
	}
	file := e.file(name)
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return nil
	case err != nil:
		return failure("delete", name, err)
	case info.IsDir():
		return nil
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure("delete", name, err)
	}
	for at := filepath.Dir(file); strings.Contains(e.below(at), "/"); at = filepath.Dir(at) {
		if err := os.Remove(at); err != nil {
			break // it has others
		}
	}
	return nil
}

// below returns the name of a folder of the engine.
func (e *Engine) below(dir string) string {
	rel, err := filepath.Rel(e.dir, dir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// Close implements ship.Engine.
func (e *Engine) Close() error { return nil }

var _ ship.Engine = (*Engine)(nil)
