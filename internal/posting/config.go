// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"log/slog"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Config says how to open an index. ID and Secret must be the same at every opening.
type Config struct {
	ID          uint32
	Secret      format.Secret
	Fields      []model.Field
	Memory      *memory.Bound // the bound on the memory of all indexes that share it
	DeltaBytes  int64         // a flush begins when the delta holds so much; writers wait at twice of it
	NoSync      bool          // commits are not synced
	SyncEvery   time.Duration // above 0: commits are acknowledged at once, and written together, synced, after so long
	CommitDelay time.Duration // how long a commit waits for others to share its sync; 0: none waits
	// the least number of concurrent commits with which one waits; 0: defaultCommitSiblings
	CommitSiblings int
	Retention      Retention // of the log once it is flushed
	ReadOnly       bool      // nothing is written to the store; it may be one that takes no writes
	Follow         bool      // another process writes the store: see Index.Refresh
	Epoch          uint64    // of the process that writes it: see Index.Lead
	Logger         *slog.Logger

	unmerged bool // lists stay overlaid however often they are read: for tests of overlays
	// how many edits that follow from deletions a flush gathers before it writes them; 0: by the
	// memory
	tombstoneEdits int

	pause time.Duration // how long a worker waits for room on a full disk before it tries again; 0: a second
}

// Retention says how much of the flushed log is kept for followers. A commit goes once any bound is
// passed for all commits that were written together with it. 0: no bound.
type Retention struct {
	Entries uint64
	Bytes   int64
	Age     time.Duration
}
