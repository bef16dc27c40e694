// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// minRoomLines is how many lines a package has at least, without its tests: who reads it has
// learned something.
const minRoomLines = 300

// smallRooms are the packages below minRoomLines, each with the reason why it is one.
var smallRooms = map[string]string{
	"cmd/uproar/adult":          "a data set, and what it says of itself",
	"cmd/uproar/likes":          "a command, and the program has no lines left",
	"cmd/uproar/epinions":       "likewise",
	"cmd/uproar/pricelist":      "the demonstration and the benchmarks draw the same prices",
	"cmd/uproar/procfs":         "what the system says of a process; the benchmarks ask, too",
	"internal/descriptor":       "a back end and the server ask, and may not import each other",
	"internal/eval/evaltest":    "tests of four packages share it",
	"internal/golden":           "tests of three packages share it",
	"internal/hugepage":         "the only calls of the system on the memory of others, apart from who asks for them",
	"internal/posting/exported": "an export on its way into another store",
	"internal/posting/intern":   "keys found while others are added: nothing else of a delta changes under readers",
	"internal/posting/manifest": "records read into a manifest: by an index, an import, a salvage",
	"internal/posting/memory":   "the bound, whatever it is of: only it is locked by several indexes",
	"internal/prefetch":         "assembly that has nothing to do with sets",
	"internal/processor":        "tests and benchmarks of every layer use the clock",
	"internal/roaring/cpu":      "every kernel asks which path to take, and nothing else",
	"internal/seal":             "the one checksum of every layer",
	"internal/sentinel":         "database and client share errors, and may not import each other",
	"internal/spelling":         "database and catalog suggest near names, and nobody below them does",
	"internal/table/tabletest":  "every reader of tables passes it",
	"internal/tolerance":        "three applications and the server count bad records alike",
	"internal/trace":            "every layer says its steps; none knows the library that keeps them",
	"server/resp/expiry":        "a queue of times is in memory, beside sets that are not",
	"server/resp/names":         "commands and sets ask for names, and a name knows neither",
	"server/console":            "static files, apart from the handlers of calls",
	"server/likesapi":           "handlers stand beside those of the other applications",
	"server/tracing":            "the library of traces, which no other package knows",
	"store/groupcommit":         "two back ends have it around their engines, and may not import each other",
	"store/memstore":            "a back end for tests: one tree and one lock",
}

// checkSmallRooms finds packages that are too small to be worth a name. One without declarations is
// a plan.
func checkSmallRooms(t *tree) (findings []string) {
	lines, declarations := make(map[string]int), make(map[string]int)
	for _, s := range t.sources {
		if dir := s.dir(); !s.test && !s.ignored {
			lines[dir] += strings.Count(s.text, "\n")
			declarations[dir] += len(s.file.Decls)
		}
	}
	for p, text := range t.texts {
		if path.Ext(p) == ".s" {
			lines[path.Dir(p)] += strings.Count(text, "\n")
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(declarations)) {
		switch n, reason := lines[dir], smallRooms[dir]; {
		case n < minRoomLines && reason == "" && declarations[dir] > 0:
			findings = append(findings, fmt.Sprintf("package %s: has %d lines without its tests, want at least %d: merge it",
				dir, n, minRoomLines))
		case n >= minRoomLines && reason != "":
			findings = append(findings, fmt.Sprintf("package %s: has %d lines: take it off smallRooms", dir, n))
		}
	}
	return findings
}

// TestPolicySmallRoomsExist: a package that is gone needs no reason.
func TestPolicySmallRoomsExist(t *testing.T) {
	for dir := range smallRooms {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("smallRooms: %v", err)
		}
	}
}
