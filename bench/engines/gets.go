// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
	"github.com/uproar-db/uproar/store"
)

// warmTimes is how many pages are read warm for each that is read cold.
const warmTimes = 100

// gets reads the pages that the measurement before has left, copies included: cold, each for the
// first time after the system has dropped its copies of all files, and warm. Then it removes them.
func (j *job) gets() (f figures, err error) {
	root := filepath.Join(j.Dir, "pages")
	dir := filepath.Join(root, "store")
	if err := procfs.ForgetFolder(dir); err != nil {
		return nil, err
	}
	s, err := j.open(false)(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close(), os.RemoveAll(root)) }()
	var keys [][]byte
	err = s.Keys(nil, nil, func(key []byte) error {
		keys = append(keys, slices.Clone(key))
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Where values lie beside keys, listing keys has read them.
	if err := errors.Join(s.Close(), procfs.ForgetFolder(dir)); err != nil {
		return nil, err
	}
	if s, err = j.open(false)(dir); err != nil {
		return nil, err
	}
	m := meter{store: s, buffer: make([]byte, 0, j.Sizes.PageBytes)}
	rng := rand.New(rand.NewPCG(1, 2))
	f = figures{}
	for _, i := range rng.Perm(len(keys))[:min(j.Sizes.Gets, len(keys))] {
		m.get(keys[i])
	}
	m.report(f, "cold")
	for _, key := range keys {
		m.get(key)
	}
	m.times = m.times[:0]
	for range warmTimes * j.Sizes.Gets {
		m.get(keys[rng.IntN(len(keys))])
	}
	m.report(f, "warm")
	return f, m.err
}

// meter measures reads of a page each.
type meter struct {
	store  store.Store
	buffer []byte
	times  []time.Duration
	err    error
}

func (m *meter) get(key []byte) {
	start := time.Now()
	err := m.store.Get(key, func(value []byte) error {
		m.buffer = append(m.buffer[:0], value...)
		return nil
	})
	m.times = append(m.times, time.Since(start))
	if err == nil && len(m.buffer) != cap(m.buffer) {
		err = fmt.Errorf("got a page of %d bytes, want %d", len(m.buffer), cap(m.buffer))
	}
	m.err = errors.Join(m.err, err)
}

// report adds the figures, and begins anew.
func (m *meter) report(f figures, name string) {
	slices.Sort(m.times)
	f[name+" p50"], f[name+" p99"] = m.times[len(m.times)/2].Seconds(), m.times[len(m.times)*99/100].Seconds()
	m.times = m.times[:0]
}
