// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
)

// Memory of commands that read.
const (
	smallBytes  = 16 << 10  // that each command may have
	memoryStep  = 64 << 10  // that are asked for at least
	pieceBytes  = 256 << 10 // of members that are read together, about
	streamBytes = 4 * pieceBytes
	scanBytes   = 1 << 20 // of members or keys of one step of a scan, about
)

// Memory counts what a command holds that grows with sets. Not safe for concurrent use.
type Memory struct {
	Grow func(bytes int) error // is asked for it, and given it back; nil: any is granted

	held, needed int // bytes that Grow has granted, and all that were asked for
}

// take asks for memory that is held until Release. Errors: of Grow.
func (m *Memory) take(bytes int) error {
	m.needed += bytes
	more := m.needed - m.held
	if more <= smallBytes || m.Grow == nil {
		return nil
	}
	more = max(more, memoryStep)
	if err := m.Grow(more); err != nil {
		return err
	}
	m.held += more
	return nil
}

// Release gives back what was asked for.
func (m *Memory) Release() {
	if m.held > 0 {
		_ = m.Grow(-m.held)
	}
	m.held, m.needed = 0, 0
}

// errPiece says that the members of a piece are longer than pieceBytes.
var errPiece = errors.New("keyspace: too long to be read together")

// pieces reads the keys of records in pieces that are bounded by their bytes.
type pieces struct {
	snap uproar.Snapshot
	most int // records of the next one
}

func newPieces(ctx context.Context, snap uproar.Snapshot) *pieces {
	return &pieces{snap.Under(uproar.WithGrow(ctx, func(bytes int) error {
		if bytes > pieceBytes {
			return errPiece
		}
		return nil
	})), pageOfMembers}
}

// next returns the keys of the first of some records, at least of one.
func (p *pieces) next(ids []uint64) ([]string, error) {
	for {
		n := min(p.most, len(ids))
		keys, err := p.snap.KeysOf(ids[:n])
		if n > 1 && errors.Is(err, errPiece) {
			p.most = n / 2
			continue
		}
		bytes := 0
		for _, key := range keys {
			bytes += len(key)
		}
		if bytes < pieceBytes/4 {
			p.most = min(2*p.most, pageOfMembers)
		}
		return keys, err
	}
}
