// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	maxRoomLines = 4000 // of a package with its assembly, without its tests
	maxFields    = 25
	maxMethods   = 45
)

// largeRooms are the packages that are above maxRoomLines, each with what it may have at most and
// the reason. A number here may only fall.
var largeRooms = map[string]struct {
	lines int
	why   string
}{
	".":                             {4300, "the one public face: of each call the words, and what names it to the rooms below"},
	"internal/roaring/eliasfano":    {8337, "its assembly: 4 575 lines of one code, for AVX2, AVX-512 and NEON"},
	"internal/roaring/kernel/array": {4094, "its assembly: 2 482 lines, for AVX2, AVX-512 and NEON"},
}

// checkRooms finds packages that are too large for one person to know. It also finds types with too
// many methods or fields.
func checkRooms(t *tree) (findings []string) {
	lines := t.roomLines()
	for _, dir := range slices.Sorted(maps.Keys(lines)) {
		if most := max(maxRoomLines, largeRooms[dir].lines); lines[dir] > most {
			findings = append(findings,
				fmt.Sprintf("package %s: has %d lines without its tests, want at most %d: cut it", dir, lines[dir], most))
		}
	}
	c := t.types()
	for _, dir := range slices.Sorted(maps.Keys(c.dirs)) {
		scope := c.check(dir).Scope()
		for _, name := range scope.Names() {
			of, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || of.IsAlias() {
				continue
			}
			name = dir + "." + name
			methods, fields := methodsOf(of.Type()), fieldsOf(of.Type(), nil)
			if methods > maxMethods {
				findings = append(findings, fmt.Sprintf("type %s: has %d methods, want at most %d", name, methods,
					maxMethods))
			}
			if fields > maxFields {
				findings = append(findings, fmt.Sprintf("type %s: has %d fields, want at most %d", name, fields,
					maxFields))
			}
		}
	}
	return findings
}

// roomLines returns how many lines each package has, its assembly included and its tests left out.
func (t *tree) roomLines() map[string]int {
	lines := make(map[string]int)
	for _, s := range t.sources {
		if !s.test && !s.ignored {
			lines[s.dir()] += strings.Count(s.text, "\n")
		}
	}
	for p, text := range t.texts {
		if ext, dir := path.Ext(p), path.Dir(p); (ext == ".s" || ext == ".h") && lines[dir] > 0 {
			lines[dir] += strings.Count(text, "\n")
		}
	}
	return lines
}

// methodsOf returns how many methods a type has, those that it gets by embedding included.
func methodsOf(of types.Type) int {
	if types.IsInterface(of) {
		return types.NewMethodSet(of).Len()
	}
	return types.NewMethodSet(types.NewPointer(of)).Len()
}

// fieldsOf returns how many fields a type has, those of types without a name within it and of types
// that it embeds included. Types of other modules have none that are known.
func fieldsOf(of types.Type, above []types.Type) (n int) {
	switch of := of.(type) {
	case *types.Named:
		if slices.Contains(above, types.Type(of)) {
			return 0
		}
		return fieldsOf(of.Underlying(), append(above, of))
	case *types.Alias:
		return fieldsOf(types.Unalias(of), above)
	case *types.Pointer:
		return fieldsOf(of.Elem(), above)
	case *types.Slice:
		return fieldsOf(of.Elem(), above)
	case *types.Array:
		return fieldsOf(of.Elem(), above)
	case *types.Chan:
		return fieldsOf(of.Elem(), above)
	case *types.Map:
		return fieldsOf(of.Elem(), above)
	case *types.Struct:
		for f := range of.Fields() {
			n++
			if f.Embedded() || !isNamed(f.Type()) {
				n += fieldsOf(f.Type(), above)
			}
		}
	}
	return n
}

// isNamed reports whether a type, or what it points to or has as its elements, has a name.
func isNamed(of types.Type) bool {
	switch of := of.(type) {
	case *types.Named, *types.Alias:
		return true
	case interface{ Elem() types.Type }:
		return isNamed(of.Elem())
	}
	return false
}

// TestPolicyLargeRoomsAreLarge: what has become smaller has a smaller number, and what is below the
// limit needs no reason.
func TestPolicyLargeRoomsAreLarge(t *testing.T) {
	tr, err := loadTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	lines := tr.roomLines()
	for dir, room := range largeRooms {
		if lines[dir] <= maxRoomLines || lines[dir] < room.lines-100 {
			t.Errorf("package %s: has %d lines: correct largeRooms", dir, lines[dir])
		}
	}
}
