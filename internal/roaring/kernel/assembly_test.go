// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package kernel

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// comparison is a function in assembly with the one that says what it does, whose type decides how
// they are compared. Where the assembly leaves part of the work to Go, or is for some operands
// only, called is the function that does all of it, on that path; else it is nil.
type comparison struct {
	path                        cpu.Path
	assembly, called, reference any
}

// TestAssembly compares every function in assembly with its reference, on operands at both ends of
// memory whose neighbour pages must not be touched and at all alignments between. A function of a
// path that this processor has not got is logged; that all paths of the processor ran is for
// TestMain to say.
func TestAssembly(t *testing.T) {
	if cpu.Active != cpu.Best() {
		t.Skip("done once, with the best path")
	}
	for _, c := range comparisons {
		t.Run(nameOf(c.assembly), func(t *testing.T) {
			if !slices.Contains(cpu.Paths(), c.path) {
				t.Skipf("this processor has not got %v", c.path)
			}
			if what := lacks(nameOf(c.assembly)); what != "" {
				t.Skipf("this processor has not got %s", what)
			}
			defer cpu.Use(cpu.Active)
			cpu.Use(c.path) // for functions that choose a form
			called := c.assembly
			if c.called != nil {
				called = c.called
			}
			switch f := called.(type) {
			case func([]byte) int:
				compareCounts(t, f, c.reference.(func([]byte) int))
			case func([]byte):
				// What it does cannot be seen; what it must not do, fault or write, can.
				quiet := func(f func([]byte)) func([]byte) int {
					return func(b []byte) int {
						f(b)
						return 0
					}
				}
				compareCounts(t, quiet(f), quiet(c.reference.(func([]byte))))
			case func(a, b *Words) int:
				compareWordCounts(t, f, c.reference.(func(a, b *Words) int))
			case func(dst, a, b *Words) int:
				compareWordWrites(t, f, c.reference.(func(dst, a, b *Words) int))
			case func(dst, a *Words):
				reference := c.reference.(func(dst, a *Words))
				counted := func(f func(dst, a *Words)) func(dst, a, b *Words) int {
					return func(dst, a, b *Words) int {
						*dst = *a
						f(dst, b)
						return 0
					}
				}
				compareWordWrites(t, counted(f), counted(reference))
			case plainPairs:
				comparePlainPairs(t, f, c.reference.(plainPairs))
			case plainLookUp:
				reference := c.reference.(plainLookUp)
				comparePlainLists(t, func(list []byte, width int, x uint64) (int, int) {
					return one(f(list, width, x)), one(reference(list, width, x))
				})
			case plainRanked:
				reference := c.reference.(plainRanked)
				comparePlainLists(t, func(list []byte, width int, x uint64) (int, int) {
					n := len(list) / width
					return f(list, n, width, x), reference(list, n, width, x)
				})
			case plainRead:
				comparePlainReads(t, f, c.reference.(plainRead))
			case func(a, b []byte) int:
				compareArrays(t, noRoom, counting(f), counting(c.reference.(func(a, b []byte) int)))
			case func(dst, a, b []byte) int:
				reference := c.reference.(func(dst, a, b []byte) int)
				switch nameOf(reference) {
				case "arrayOrGeneric", "arrayXorGeneric":
					compareArrays(t, roomForBoth, withoutLast(f), withoutLast(reference))
				case "arrayAndGeneric":
					compareArrays(t, roomForShorter, f, reference)
				default:
					compareArrays(t, roomForFirst, f, reference)
				}
			case func(bits *Words, lows []byte):
				compareScatters(t, f, c.reference.(func(bits *Words, lows []byte)))
			case func(lows []byte, a *Words) int:
				reference := c.reference.(func([]byte, *Words) int)
				if nameOf(reference) == "bitsetToArrayGeneric" {
					compareToArray(t, f, reference)
					break
				}
				with := func(f func([]byte, *Words) int) func(_, lows []byte, a *Words, _ int) int {
					return func(_, lows []byte, a *Words, _ int) int { return f(lows, a) }
				}
				compareFilters(t, false, with(f), with(reference))
			case func(dst []uint16, a *Words) int:
				in := func(f func(dst []uint16, a *Words) int) func([]byte, *Words) int {
					return func(dst []byte, a *Words) int { return f(asLows(dst), a) }
				}
				compareToArray(t, in(f), in(c.reference.(func(dst []uint16, a *Words) int)))
			case func(dst, few, many []byte, flip int) int:
				for flip := range 2 {
					with := func(f func(dst, few, many []byte, flip int) int) func(dst, a, b []byte) int {
						return func(dst, a, b []byte) int { return f(dst, a, b, flip) }
					}
					compareArrays(t, roomForFirst, with(f), with(c.reference.(func(dst, few, many []byte,
						flip int) int)))
				}
			case func(dst, lows []byte, a *Words, flip int) int:
				compareFilters(t, true, f, c.reference.(func(dst, lows []byte, a *Words, flip int) int))
			case func(dst []uint64, words []byte, base uint64) (n, read int):
				compareValues(t, 8, f, c.reference.(func(dst []uint64, words []byte, base uint64) (n, read int)))
			case func(dst []uint64, lows []byte, base uint64):
				with := func(f func(dst []uint64, lows []byte, base uint64)) func(dst []uint64, lows []byte,
					base uint64) (int, int) {
					return func(dst []uint64, lows []byte, base uint64) (int, int) {
						f(dst, lows, base)
						return min(len(dst), len(lows)/2), 0
					}
				}
				compareValues(t, 2, with(f), with(c.reference.(func(dst []uint64, lows []byte, base uint64))))
			case runPairs:
				compareRunPairs(t, f, c.reference.(runPairs))
			case runPairsLen:
				as := func(f runPairsLen) runPairs {
					return func(_, a, b []byte) (values, runs int) { return f(a, b), 0 }
				}
				compareRunPairs(t, as(f), as(c.reference.(runPairsLen)))
			case func(list []byte, i uint32) (at int, left uint32):
				compareSelects(t, 2, f, c.reference.(func(list []byte, i uint32) (at int, left uint32)))
			case func(runs []byte, i uint32) (x uint16, ok bool):
				as := func(f func(runs []byte, i uint32) (x uint16, ok bool)) func(list []byte, i uint32) (at int,
					left uint32) {
					return func(runs []byte, i uint32) (at int, left uint32) {
						x, ok := f(runs, i)
						return one(ok), uint32(x)
					}
				}
				compareSelects(t, 4, as(f), as(c.reference.(func(runs []byte, i uint32) (x uint16, ok bool))))
			case func(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int):
				compareRunValues(t, f, c.reference.(func(dst []uint64, runs []byte, at, next int, base uint64) (n, run,
					value int)))
			case func(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64):
				compareUppers(t, f, c.reference.(func(dst, words []byte, word uint64, zeros, end int, low uint) (n,
					read int, left uint64)))
			case func(lows, block []byte, off int, low uint):
				compareLowers(t, f, c.reference.(func(lows, block []byte, off int, low uint)))
			case func(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
				base uint64) (n, read int, left uint64):
				comparePackedValues(t, f)
			case func(dst, values []uint64, base uint64, p *PackedProbe) (n, read int):
				compareProbes(t, f, c.reference.(func(dst, values []uint64, base uint64, p *PackedProbe) (n, read int)))
			case func(few, many *Packed, fewUpper, manyUpper int) int:
				compareMeets(t, f, c.reference.(func(few, many *Packed, fewUpper, manyUpper int) int))
			case func(p *Packed, upper int, d uint64) (i int, found bool):
				compareFinds(t, f, c.reference.(func(p *Packed, upper int, d uint64) (i int, found bool)))
			case func(p *Packed, upper, i int) (d uint64, ok bool):
				compareAts(t, f, c.reference.(func(p *Packed, upper, i int) (d uint64, ok bool)))
			case func(a, b []uint64) (n, i, j int):
				compareMeeting(t, func(_, a, b []uint64) (n, i, j int) { return f(a, b) }, false)
			case func(dst, a, b []uint64) (n, i, j int):
				compareMeeting(t, f, true)
			case func(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64):
				compareUpperOffsets(t, f, c.reference.(func(dst []uint32, words []byte, word uint64, zeros int,
					low uint) (n, read int, left uint64)))
			case func(offsets []uint32, block []byte, off int, low uint):
				compareAddLowers(t, f, c.reference.(func(offsets []uint32, block []byte, off int, low uint)))
			case func(dst []uint32, lows []byte, base uint32):
				compareArrayOffsets(t, f, c.reference.(func(dst []uint32, lows []byte, base uint32)))
			case func(dst []uint32, a *Arrays, i, end int) (n, next int):
				compareDirectories(t, f, c.reference.(func(dst []uint32, a *Arrays, i, end int) (n, next int)))
			case func(dst []uint64, a *Arrays, i, end int) (n, next int):
				compareDirectories(t, f, c.reference.(func(dst []uint64, a *Arrays, i, end int) (n, next int)))
			case lookupFunction:
				compareLookups(t, f, c.reference.(lookupFunction))
			case func(p *Packed, upper int, a *Arrays) int:
				with := func(f func(p *Packed, upper int, a *Arrays) int) func(p *Packed, _ []uint64, a *Arrays) int {
					return func(p *Packed, _ []uint64, a *Arrays) int { return f(p, p.upper(), a) }
				}
				compareInArrays(t, listMost, with(f), with(c.reference.(func(p *Packed, upper int, a *Arrays) int)))
			case func(few []uint64, a *Arrays) int:
				with := func(f func(few []uint64, a *Arrays) int) func(_ *Packed, few []uint64, a *Arrays) int {
					return func(_ *Packed, few []uint64, a *Arrays) int { return f(few, a) }
				}
				compareInArrays(t, valuesMost, with(f), with(c.reference.(func(few []uint64, a *Arrays) int)))
			case func(offsets []uint32, bits []byte, base uint32) (n int):
				compareKeeps(t, f, c.reference.(func(offsets []uint32, bits []byte, base uint32) (n int)))
			case func(a, b []uint32) (n, i, j int):
				with := func(f func(a, b []uint32) (n, i, j int)) func(_, a, b []uint32) (n, i, j int) {
					return func(_, a, b []uint32) (n, i, j int) { return f(a, b) }
				}
				compareOffsets(t, with(f), with(c.reference.(func(a, b []uint32) (n, i, j int))), false)
			case func(dst, a, b []uint32) (n, i, j int):
				compareOffsets(t, f, c.reference.(func(dst, a, b []uint32) (n, i, j int)), true)
			case sameFunction:
				compareSame(t, f, c.reference.(sameFunction))
			case inBitsFunction:
				compareInBits(t, f, c.reference.(inBitsFunction))
			case inArrayFunction:
				compareInArray(t, f, c.reference.(inArrayFunction))
			case func(values []uint64, bits []byte, base uint64) int:
				compareWithin(t, f, c.reference.(func(values []uint64, bits []byte, base uint64) int))
			case func(counts []uint32, spans [][]byte, width int) int:
				compareColumns(t, f, c.reference.(func(counts []uint32, spans [][]byte, width int) int))
			case func(counts []uint32, least uint32) int:
				reference := c.reference.(func(counts []uint32, least uint32) int)
				with := func(f func(counts []uint32, least uint32) int) func(counts, _ []uint32, least uint32,
					_ float64) int {
					return func(counts, _ []uint32, least uint32, _ float64) int { return f(counts, least) }
				}
				compareRanks(t, with(f), with(reference))
			case func(counts, sizes []uint32, least uint32, part float64) int:
				compareRanks(t, f, c.reference.(func(counts, sizes []uint32, least uint32, part float64) int))
			case func(dst, lows []uint16, words []byte, offset, bits int) uint16:
				compareSmallWords(t, f, c.reference.(func(dst, lows []uint16, words []byte, offset, bits int) uint16))
			case func(lows []byte, x uint16) int:
				compareSearches(t, f, c.reference.(func(lows []byte, x uint16) int))
			case func(lows []byte, x uint16) bool:
				compareSearches(t, f, c.reference.(func(lows []byte, x uint16) bool))
			case func(room []byte, size, n int, d uint64) (i int, found bool):
				comparePlaces(t, f, c.reference.(func(room []byte, size, n int, d uint64) (i int, found bool)))
			default:
				t.Fatalf("nothing compares a %T", f)
			}
		})
	}
}

// nameOf returns the name of a function of this package.
func nameOf(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

// TestAssemblyIsCompared reads the sources in assembly: each function must be among the
// comparisons, under the path that its name ends in.
func TestAssemblyIsCompared(t *testing.T) {
	compared := map[string]cpu.Path{}
	for _, c := range comparisons {
		compared[nameOf(c.assembly)] = c.path
	}
	files, err := filepath.Glob("*_" + runtime.GOARCH + ".s")
	if err != nil || len(files) == 0 {
		t.Fatal("no source in assembly was found", err)
	}
	text := regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	n := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range text.FindAllStringSubmatch(string(source), -1) {
			name := m[1]
			n++
			path, ok := compared[name]
			if !ok {
				t.Errorf("%s is compared with nothing", name)
			}
			if !strings.HasSuffix(name, strings.ToUpper(path.String())) {
				t.Errorf("%s stands under path %v", name, path)
			}
		}
	}
	if n != len(comparisons) {
		t.Errorf("%d functions in assembly, %d comparisons", n, len(comparisons))
	}
	t.Log(n, "functions in assembly")
}

// counting makes a kernel that writes nothing one that compareArrays takes.
func counting(f func(a, b []byte) int) func(dst, a, b []byte) int {
	return func(_, a, b []byte) int { return f(a, b) }
}

// withoutLast is a merge whose result is not looked at as far as it ends with 65 535, nor called
// without values.
func withoutLast(f func(dst, a, b []byte) int) func(dst, a, b []byte) int {
	return func(dst, a, b []byte) int {
		if len(a) < 2 || len(b) < 2 {
			return 0
		}
		return putLast(dst, f(dst, a, b), 0)
	}
}

// What a merge asks to have room for.
func noRoom(a, b []byte) int         { return 0 }
func roomForFirst(a, b []byte) int   { return len(a) }
func roomForShorter(a, b []byte) int { return min(len(a), len(b)) }
func roomForBoth(a, b []byte) int    { return len(a) + len(b) }
