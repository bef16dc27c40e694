// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// Pages, manifest records and log entries begin with a magic byte and a version. Each is sealed
// under its key.
const (
	HeaderLen     = seal.HeaderLen
	FormatVersion = 1
	LogVersion    = 2 // of log entries; those of version 1 are read
	PageVersion   = 2 // of pages that need it, but for packed ones; all others are of version 1
)

const (
	MagicPage     = 0xB6 // the first byte of a page
	MagicManifest = 0xB7 // of a record of the manifest
	MagicLog      = 0xB8 // of a log entry
	magicSession  = 0xBD // of the session
)

// CheckHeader checks magic, version and checksum of an entry of version 1, or up to the newest one.
func CheckHeader(where string, magic, newest byte, key, value []byte) error {
	if len(value) < HeaderLen {
		return model.Corrupt(where, "got %d bytes, want at least %d", len(value), HeaderLen)
	}
	if value[0] != magic {
		return model.Corrupt(where, "got magic %#02x, want %#02x", value[0], magic)
	}
	if value[1] < FormatVersion || value[1] > newest {
		return UnknownVersion(where, value[1])
	}
	if got, want := seal.Check(key, value); got != want {
		return model.Corrupt(where, "got checksum %08x, want %08x", got, want)
	}
	return nil
}

// UnknownVersion returns an error that matches model.ErrVersion.
func UnknownVersion(where string, got byte) error {
	return fmt.Errorf("%w: %s: got %d, want %d", model.ErrVersion, where, got, FormatVersion)
}
