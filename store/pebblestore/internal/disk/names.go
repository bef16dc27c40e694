// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// IngestPrefix is how names of tables begin that the engine does not know yet. Those that a crash
// leaves are removed at opening.
const IngestPrefix = "ingest-"

// IsPassing reports whether a file may be removed before the engine is opened: a table of an
// ingestion that has not ended, or one that List hides.
func IsPassing(name string) bool {
	return strings.HasPrefix(filepath.Base(name), IngestPrefix) || isOptions(name)
}

// IsEngine reports whether a file is one of the engine's, of those that a store cannot be without.
func IsEngine(name string) bool {
	return isTable(name) || LogNumber(name) > 0 || ManifestNumber(name) > 0 ||
		strings.HasPrefix(filepath.Base(name), "marker.")
}

// isNamed reports whether a file has a name that the engine gives to one of those that a store
// cannot be without: others may come and go.
func isNamed(name string) bool {
	base := filepath.Base(name)
	for _, kind := range []string{"marker.manifest.", "marker.format-version."} {
		if rest, ok := strings.CutPrefix(base, kind); ok {
			turn, _, _ := strings.Cut(rest, ".")
			return number(turn, "") > 0
		}
	}
	return TableNumber(base) > 0 || LogNumber(base) > 0 || ManifestNumber(base) > 0
}

func isOptions(name string) bool { return strings.HasPrefix(filepath.Base(name), "OPTIONS-") }

// isTable reports whether a file is a table, of the engine's or of an ingestion.
func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

// LogName returns the name of a log.
func LogName(number uint64) string { return fmt.Sprintf("%06d.log", number) }

// LogNumber returns the number in the name of a log, 0 for other files.
func LogNumber(name string) uint64 { return number(name, ".log") }

// TableNumber returns the number in the name of a table, 0 for other files.
func TableNumber(name string) uint64 { return number(name, ".sst") }

// ManifestNumber returns the number in the name of a manifest, 0 for other files.
func ManifestNumber(name string) (n uint64) {
	if digits, ok := strings.CutPrefix(filepath.Base(name), "MANIFEST-"); ok {
		n = number(digits, "")
	}
	return n
}

// number returns the number in a name before a suffix, 0 for other files: names that the engine
// would not write, which are somebody else's.
func number(name, suffix string) (n uint64) {
	digits, ok := strings.CutSuffix(filepath.Base(name), suffix)
	if !ok || len(digits) < 6 || strings.Trim(digits, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
