// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"

	"github.com/uproar-db/uproar"
)

// Memory of commands that read.
const (
	smallBytes  = 16 << 10  // that each command may have
	roomStep    = 64 << 10  // that are asked for at least
	pieceBytes  = 256 << 10 // of members that are read together, about
	streamBytes = 4 * pieceBytes
	scanBytes   = 1 << 20 // of members or keys of one step of a scan, about
)

// take asks for memory that is held until Release. Errors: of Room.
func (st *State) take(bytes int) error {
	st.needed += bytes
	more := st.needed - st.held
	if more <= smallBytes || st.Room == nil {
		return nil
	}
	more = max(more, roomStep)
	if err := st.Room(more); err != nil {
		return err
	}
	st.held += more
	return nil
}

// Release gives back what a command has asked Room for.
func (st *State) Release() {
	if st.held > 0 {
		_ = st.Room(-st.held)
	}
	st.held, st.needed = 0, 0
}

// errPiece says that the members of a piece are longer than pieceBytes.
var errPiece = errors.New("keyspace: too long to be read together")

// pieces reads the keys of records in pieces that are bounded by their bytes.
type pieces struct {
	snap uproar.Snapshot
	most int // records of the next one
}

func (st *State) pieces() *pieces {
	return &pieces{st.snap.Under(uproar.WithGrow(st.ctx, func(bytes int) error {
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
