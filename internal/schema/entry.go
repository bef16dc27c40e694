// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// sealed returns an entry of the database: head, checksum, body.
func sealed(key []byte, tag byte, body []byte) []byte {
	b := append([]byte{magicDatabase, tag, 0, 0, 0, 0, 0, 0}, body...)
	seal.Write(key, b)
	return b
}

// unseal checks an entry and returns its body, borrowed.
func unseal(what string, key []byte, tag byte, b []byte) ([]byte, error) {
	switch {
	case len(b) < seal.HeaderLen || b[0] != magicDatabase:
		return nil, fmt.Errorf("%w: %s: got %d bytes without its magic, want %#02x first", ErrNotDatabase, what, len(b),
			magicDatabase)
	case b[1] != tag || b[2] != 0 || b[3] != 0:
		return nil, fmt.Errorf("%w: %s: got % x, want %02x 00 00", model.ErrVersion, what, b[1:4], tag)
	}
	if got, want := seal.Check(key, b); got != want {
		return nil, fmt.Errorf("%w: %s: got checksum %08x, want %08x", model.ErrCorrupt, what, got, want)
	}
	return b[seal.HeaderLen:], nil
}
