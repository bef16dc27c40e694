// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/versions"
)

// State is what a snapshot sees. It never changes.
type State struct {
	Source   *Source
	Version  *versions.Version
	Frozen   *delta.Table // being flushed; nil: none
	Active   *delta.Table
	Masks    *delta.Masks // of the deletions of both deltas; nil: none
	Sequence uint64
	Number   uint64 // of the state, since opening

	Merged *MergedLists // nil: none are kept

	Deletions uint64 // how many commits since opening deleted records
}

// isFlushed reports whether the pages have all that there is.
func (st *State) isFlushed() bool {
	return st.Frozen == nil && len(st.Active.Edits) == 0 && st.Masks == nil
}
