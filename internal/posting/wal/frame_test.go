// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/seal"
)

// encodeAll returns a log entry of some commits. The last has the number of the key.
func encodeAll(key []byte, commits ...*Entry) []byte {
	var p Pending
	for _, l := range commits {
		if err := p.Add(1, l, l.AppendSections(nil)); err != nil {
			panic(err)
		}
	}
	return p.Frame(key, 0, p.Count())
}

// encodeFirst returns a log entry of version 1, which has one commit.
func encodeFirst(l *Entry, key []byte) []byte {
	b := []byte{format.MagicLog, format.FormatVersion, 0, 0, 0, 0, 0, 0}
	b = l.AppendSections(binary.AppendUvarint(b, l.Time))
	seal.Write(key, b)
	return b
}

// decodeAll decodes a log entry.
func decodeAll(key, value []byte) (commits []*Entry, err error) {
	f, err := Open(key, value)
	if err != nil {
		return nil, err
	}
	for {
		l, err := f.Decode()
		if l == nil || err != nil {
			return commits, err
		}
		commits = append(commits, l)
	}
}
