// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Memory is an engine in the memory of this process. It does all at once, and never fails. The zero
// Memory is empty. Several nodes of a test may share one.
type Memory struct {
	mu      sync.RWMutex
	names   []string // sorted
	objects map[string][]byte
}

// Create implements ship.Engine.
func (m *Memory) Create(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := ship.CheckObject(name, data); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i, found := slices.BinarySearch(m.names, name)
	if found {
		return fmt.Errorf("%w: %s", ship.ErrExists, name)
	}
	if m.objects == nil {
		m.objects = make(map[string][]byte)
	}
	m.names = slices.Insert(m.names, i, name)
	m.objects[name] = bytes.Clone(data)
	return nil
}

// Get implements ship.Engine.
func (m *Memory) Get(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := ship.CheckName(name); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	data, ok := m.objects[name]
	if !ok {
		return nil, fmt.Errorf("%w: %s", store.ErrNotFound, name)
	}
	return bytes.Clone(data), nil
}

// List implements ship.Engine.
func (m *Memory) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for at := after; ; {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			name, ok := m.next(prefix, at)
			if !ok || !yield(name, nil) {
				return
			}
			at = name
		}
	}
}

// next returns the first name with the prefix that is greater than after.
func (m *Memory) next(prefix, after string) (string, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	i, found := slices.BinarySearch(m.names, max(prefix, after))
	if found && m.names[i] == after {
		i++
	}
	if i == len(m.names) || !strings.HasPrefix(m.names[i], prefix) {
		return "", false
	}
	return m.names[i], true
}

// Delete implements ship.Engine.
func (m *Memory) Delete(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := ship.CheckName(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if i, found := slices.BinarySearch(m.names, name); found {
		m.names = slices.Delete(m.names, i, i+1)
		delete(m.objects, name)
	}
	return nil
}

// Close implements ship.Engine. The objects stay.
func (m *Memory) Close() error { return nil }

var _ ship.Engine = (*Memory)(nil)
