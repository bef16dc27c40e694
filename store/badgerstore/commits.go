// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// commits is the line of batches that wait to be committed. One goroutine takes them from the
// front, as many at a time as fit one transaction.
type commits struct {
	mu     sync.Mutex
	queue  []*commit
	wake   chan struct{} // has room for one
	quit   chan struct{}
	done   chan struct{}
	failed atomic.Pointer[error] // the first failure; nothing is written after it
	turn   sync.Mutex            // held while committing; see collectFile
	advice *adviser              // of the one goroutine
	files  descriptors           // of the one goroutine
	spent  atomic.Int64          // nanoseconds that committing has taken
}

// commit is a batch in the line.
type commit struct {
	batch  *store.Batch
	filler [][]byte // instead of a batch: engine keys to delete, which nobody stored
	weight int
	padded bool
	done   chan error // has room for one
}

// descriptors has commits look now and then. Not safe for concurrent use: it is of the one
// goroutine that commits.
type descriptors struct{ next time.Time }
