// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/exported"
	"github.com/uproar-db/uproar/internal/schema"
)

// BaseError says why a backup does not go on from another. The database shows it as its own: users
// cannot name types of this package, which may not import the database.
type BaseError struct {
	Backup string // ID of the backup; empty: it is about to be made
	Base   string // ID of the backup that it goes on from; empty: it is a full one
	Reason string
}

// Error returns the reason.
func (e *BaseError) Error() string { return e.Reason }

// GoOn fills in the indexes of the head from exports, which are in the order of its catalog. It
// checks that each index has been where a base, if there is one, says that it was. id is the ID of
// the base.
//
// Errors: *BaseError, or those of reading.
func (h *Head) GoOn(id string, base *Head, exports []*posting.Export) error {
	from := map[uint32]exported.Mark{}
	if base != nil {
		if err := h.follows(id, base); err != nil {
			return err
		}
		h.Base = id
		for _, ix := range base.Indexes {
			from[ix.ID] = ix.To.mark()
		}
	}
	for i, e := range exports {
		entry := &h.Catalog.Indexes[i]
		out := Index{ID: entry.ID, To: Mark(e.Mark())}
		if since, ok := from[entry.ID]; ok {
			err := e.CheckSince(since)
			if errors.Is(err, exported.ErrOtherHistory) {
				return &BaseError{Base: id, Reason: fmt.Sprintf("index %q: %v", entry.Name, err)}
			}
			if err != nil {
				return err
			}
			mark := Mark(since)
			out.Since = &mark
		}
		out.Pages, out.Bytes = e.Pages(from[entry.ID].Generation)
		h.Indexes = append(h.Indexes, out)
	}
	return nil
}

// follows fails when a backup cannot go on from another because that is of another database.
func (h *Head) follows(id string, base *Head) error {
	if h.Origin != base.Origin {
		return &BaseError{Base: id,
			Reason: fmt.Sprintf("it is of database %q, want %q: this one was restored, or is another", base.Origin,
				h.Origin)}
	}
	for _, old := range base.Catalog.Indexes {
		if !slices.ContainsFunc(h.Catalog.Indexes, func(x schema.Index) bool {
			return x.ID == old.ID && x.Secret == old.Secret
		}) {
			return &BaseError{Base: id, Reason: fmt.Sprintf("it has an index %q that is not in this database",
				old.Name)}
		}
	}
	return nil
}
