// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// Pages, manifest records and log entries begin with a magic byte and a version, and are sealed
// under their key.
const (
	headLen       = seal.HeadLen
	formatVersion = 1
	logVersion    = 2 // of log entries; those of version 1 are read
	pageVersion   = 2 // of pages that need it; others are written, and all are read, as version 1
)

const (
	magicPage     = 0xB6
	magicManifest = 0xB7
	magicLog      = 0xB8
)

// checkHeader checks magic, version and checksum of an entry of version 1, or up to the newest one.
func checkHeader(where string, magic, newest byte, key, value []byte) error {
	if len(value) < headLen {
		return model.Corrupt(where, "got %d bytes, want at least %d", len(value), headLen)
	}
	if value[0] != magic {
		return model.Corrupt(where, "got magic %#02x, want %#02x", value[0], magic)
	}
	if value[1] < formatVersion || value[1] > newest {
		return errVersion(where, value[1])
	}
	if got, want := seal.Check(key, value); got != want {
		return model.Corrupt(where, "got checksum %08x, want %08x", got, want)
	}
	return nil
}

func errVersion(where string, got byte) error {
	return fmt.Errorf("%w: %s: got %d, want %d", model.ErrVersion, where, got, formatVersion)
}
