// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// Session says what the last session that wrote pages has left in the store.
type Session struct {
	Clean bool // no page that the manifest does not name
	// Of a clean one the next generation to be given to a page. Else the first of the session.
	Generation uint64
	// Of a clean one the last commit, and how many bytes of log are kept up to it.
	Sequence, LogBytes uint64
}

// SessionKey returns the store key of the Session of an index.
func SessionKey(index uint32) []byte { return AppendIndexPrefix(nil, KindSession, index) }

// Encode returns the entry to be stored under a key.
func (s *Session) Encode(key []byte) []byte {
	state := byte(1)
	if s.Clean {
		state = 0
	}
	b := []byte{magicSession, FormatVersion, state, 0, 0, 0, 0, 0}
	for _, x := range [...]uint64{s.Generation, s.Sequence, s.LogBytes} {
		b = binary.AppendUvarint(b, x)
	}
	seal.Write(key, b)
	return b
}

// DecodeSession checks and reads an entry. Errors: ErrCorrupt, ErrVersion.
func DecodeSession(key, value []byte) (*Session, error) {
	const where = "session"
	if err := CheckHeader(where, magicSession, FormatVersion, key, value); err != nil {
		return nil, err
	}
	if value[2] > 1 || value[3] != 0 {
		return nil, UnknownVersion(where+": state", value[2])
	}
	r := newReader(value[HeaderLen:])
	s := &Session{Clean: value[2] == 0, Generation: r.Varint(), Sequence: r.Varint(), LogBytes: r.Varint()}
	if !r.Ok || len(r.B) != 0 {
		return nil, model.Corrupt(where, "the checksum is right but the body is not: %d bytes left", len(r.B))
	}
	return s, nil
}
