// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"path/filepath"

	"github.com/uproar-db/uproar/store"
)

// engine is the store that is measured. It is opened again after it was closed.
type engine struct {
	store.Store
	opts *Options
}

// storeFolder is the folder of the store in that of the run.
const storeFolder = "store"

func openEngine(o *Options) (*engine, error) {
	e := &engine{opts: o}
	return e, e.open()
}

func (e *engine) open() (err error) {
	e.Store, err = e.opts.Open(filepath.Join(e.opts.Dir, storeFolder))
	return err
}

// size returns the bytes that the store takes on disk, nothing when it cannot tell.
func (e *engine) size() int64 {
	sizer, ok := e.Store.(store.Sizer)
	if !ok {
		return 0
	}
	size, err := sizer.Size()
	if err != nil {
		return 0
	}
	return size.Total()
}
