// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// sequence is the point of a log behind a commit to an index.
type sequence struct {
	name   string
	index  uint32
	number uint64
}

// UnmarshalText reads INDEX=N.
func (s *sequence) UnmarshalText(text []byte) (err error) {
	i := strings.LastIndexByte(string(text), '=')
	if i > 0 {
		s.name = string(text[:i])
		s.number, err = strconv.ParseUint(string(text[i+1:]), 10, 63)
	}
	if i <= 0 || err != nil {
		return fmt.Errorf("got %q, want an index and the number of a commit: INDEX=N", text)
	}
	return nil
}

// find finds out the number of the index, as the log last knew its name.
func (s *sequence) find(ctx context.Context, e ship.Engine) error {
	for value, err := range ship.Versions(ctx, e, schema.CatalogKey()) {
		if err != nil {
			return err
		}
		c, err := schema.ParseCatalog(value)
		if err != nil {
			return err
		}
		if entry := c.Entry(s.name); entry != nil {
			s.index = entry.ID
			return nil
		}
	}
	return terminal.Advise("uproar restore-log with --at=POSITION", "the log has no index %q", s.name)
}

// Place implements ship.Goal.
func (s *sequence) Place(ops []store.Op) ship.Place {
	switch last, ok := wal.LastCommit(s.index, ops); {
	case !ok:
		return ship.Elsewhere
	case last < s.number:
		return ship.Before
	}
	return ship.Reached
}

// Cut implements ship.Goal.
func (s *sequence) Cut(ops []store.Op) ([]store.Op, error) {
	return wal.Cut(s.index, ops, s.number)
}
