// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ordinaryWords are old words that also have an ordinary meaning in the field or in Go. A program
// cannot tell which one is meant, so a name may have one only if ordinaryUses lists it.
var ordinaryWords = map[string]string{
	"absent": "a value that a set has not",
	"behind": "after, of bytes in memory",
	"few":    "the smaller of two operands, beside many, or a bound of such",
	"forget": "what an application does with an audience, and a cache with an entry",
	"leaf":   "a part of a query, of a tree, or of CPUID",
	"mark":   "a high-water mark: how far an export reaches; a mark in a file",
	"merge":  "of sorted sequences, levels and pages",
	"origin": "the database that a restored one comes from, as stored; a header of HTTP",
	"room":   "free bytes, in a buffer or on a disk; docs/format/bitmap.md has it for payloads",
	"span":   "a range of bytes or values",
	"until":  "a bound of time or of a walk",
}

// freeWords are old words that any name may have: nothing but their ordinary meaning is left.
var freeWords = map[string]string{
	"any":   "Go's own type, and the any(field) of a query",
	"name":  "what something is called",
	"yield": "the function of an iterator, in Go's own words",
}

// ordinaryUses are the names, by folder, that have one of ordinaryWords in its ordinary meaning. A
// line that begins with a tab goes on with the folder before it.
const ordinaryUses = `
.: codeSpan errNoRoom leaf ledgerOrigin maxRoomLines merge minRoomLines origin relatedRoom room roomLines
api: ForgetAudienceRequest ForgetReply
apps/audience: Forget leaf mark
apps/audience/guess: behind few fewMisfits
apps/audience/parquet: leaf leafOf room
apps/catalog: room TestKeysHaveNoRoom
apps/graph: untilBad
apps/standing: leaf until
bench/arm64: few fewLen
bench/audience: until
bench/beside: TestCommandFewFollows
bench/graphd: loadedMark markLoaded
bench/groups: few loadFew newFew
bench/library: behind few until
bench/population: until
bench/prices: room
bench/quick: until
bench/searches: room
bitmap: absent ExampleView_NextAbsent NextAbsent PreviousAbsent room
bitmap/bsi: few markBits room
client: ForgetAudience until
cmd/uproar: guideMark leaf mark TestFewDescriptors until
cmd/uproar/ask: Forget
cmd/uproar/benchwrite: printRoom TestRunListsOfFewFollows
cmd/uproar/database: ReadUntil
cmd/uproar/procfs: forget ForgetFolder
internal/binding: Leaf leaf leaf_test TestLeaf
internal/descriptor: room
internal/dump: errNoRoom mark Mark noRoom Origin origin
internal/eval: few fewOperands fewProbed fewRecords fewWanted forgetAlike isLeaf leaf Leaf randomLeaf
	recordsOfSpan room span spanBytes
internal/eval/crosstab: crowdFew merge room
internal/eval/ranking: few fewBytes
internal/extsort: Merge TestMerge TestMergeOfCutFile
internal/listing: AppendBehind appendBehind behind few fewLimit fewRecords FuzzReadBehind merge mergeRoom
	ReadBehind readBehind room
internal/posting/exported: mark Mark
internal/posting: absent awaitRoom mark Mark mergeDriver room room_test runUntilPowerCut span
	TestDeletionsWaitForRoom TestMergeWindow TestNoRoomToFlush TestOpenWithoutRoom TestRoomAtClose TestRoomGivenUp
internal/posting/delta: absent chunkRoom few fewEntries mergeBuffers MergeRuns room
internal/posting/format: mergeRefs room Room Span
internal/posting/load: few FewPairs makeRoom merge mergeField mergePairs mergeTasks mergeWords room
internal/posting/merge: BenchmarkMerge columnRoom few fewValues merge merge_bench_test merge_test MergeLevels
	MergeValues MergeWindow room Room TestFewValues tombstoneMerge
internal/posting/overlay: few fewPages fewPieces forgetLows room
internal/posting/reader: absent FewRows Forget mayMerge merge mergeCost mergeEdits mergeRecordCost mostSpanBytes
	room
internal/roaring: absent behind few fewAsked fewVotes merge mergeAll mergeAllLen mergeInto orderFew room
	TestCursorBehindTheLastKey TestFewIntoManyInPlace
internal/roaring/container: room
internal/roaring/cpu: leaf leaf1 leaf7AVX2 leaf7AVX512 leaf7More leaf7Pairs
internal/roaring/eliasfano: behind bitsRoom BitsRoom few fewInChunk fewUpper fewVectorLow LookFew room span
internal/roaring/kernel/array: few fewRatio MERGE mergeArrays mergeRest mergeTiny noRoom room roomForBoth
	roomForFirst roomForShorter span
internal/roaring/kernel/bitset: few room
internal/roaring/kernel/column: few fewThrees fewTwos room span spanBytes UNTIL
internal/roaring/kernel/kerneltest: behind Merge room
internal/roaring/kernel/run: edgesFew few gapsFew orInRoom room
internal/roaring/kernel/sorted: behind few filterMerge fixedMergeLenAVX2 fixedMergeLenAVX512 merge room
internal/roaring/mutable: behind directoryRoom few Few fewBytes fewEntries fewValues MarkValid room span
internal/roaring/pack: Room
internal/roaring/pair: denseSpan few Few fewLows fewOffsets fixedFew fixedInFewChunks inFewChunks mergeBlocks
	mergeLen mergePair mergeValues room span TestFixedListsInFewChunks TestListInFewChunks TestMergeLen
internal/roaring/roaringtest: Absent absent decodeAbsent few Few maxAbsent nextRoom payloadRoom room Span
internal/roaring/view: absent LooseRoomAt NextAbsent PreviousAbsent room roomBits RoomFor
	TestNextAndPreviousAbsent
internal/salvage: behind forget room Span until
internal/schema: IsOrigin Origin origin originKey originTag ReadOrigin TestGoldenOrigin TestOrigin
internal/table: behind byteOrderMark
query: isLeaf leaf
server: httpMark origin ReadUntil room until
server/audienceapi: decodeForgetAudience forget
server/call: BehindGroup BehindRanked ReadUntil until
server/catalogapi: plainRoom room
server/compat/prices: fewChars
server/recordapi: ReadUntil
server/standingapi: ReadUntil until behind
server/streaming: ReadUntil
server/transport: forget origin until
server/upload: ReadUntil until
store/bboltstore: behind closeMark compareMark diskRoom leaf leafKind mark markSize markSuffix openMark room
	runUntilKilled runUntilPowerCut TestScanBehindDamage
store/pebblestore: mark room runUntilKilled runUntilPowerCut
store/pebblestore/internal/disk: RoomPause TestRoom
store/pebblestore/internal/inspect: checkMark mark Mark readMark TestMark markBytes
`

// namesByFolder reads a list such as ordinaryUses.
func namesByFolder(list string) map[string][]string {
	names := make(map[string][]string)
	dir := ""
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) > 0 && line[0] != '\t' {
			dir, words = strings.TrimSuffix(words[0], ":"), words[1:]
		}
		names[dir] = append(names[dir], words...)
	}
	return names
}

var (
	ordinaryNamesOf = namesByFolder(ordinaryUses)
	ordinaryPattern = regexp.MustCompile(" (" + strings.Join(slices.Sorted(maps.Keys(ordinaryWords)), "|") + ") ")
)

// TestPolicyListsOrdinaryWords: a name with an ordinary word is found unless its folder lists it,
// and a word is either ordinary, or free, or old.
func TestPolicyListsOrdinaryWords(t *testing.T) {
	for _, c := range []struct{ file, name, want string }{
		{"internal/roaring/pair/a.go", "fewLows", ""},
		{"internal/roaring/view/a.go", "fewLows", "few"},
		{"server/a.go", "merged", ""},
		{"server/a.go", "mergedName", ""},
		{"server/a.go", "mergeNames", "merge"},
		{"internal/posting/delta/a.go", "forget", "forget"},
	} {
		if got := oldWordIn(c.file, c.name); got != c.want {
			t.Errorf("%s in %s: got the old word %q, want %q", c.name, c.file, got, c.want)
		}
	}
	for dir, words := range oldWords {
		for _, word := range strings.Fields(words) {
			if ordinaryWords[word] != "" || freeWords[word] != "" {
				t.Errorf("%q is an old word in %q, and said to be ordinary", word, dir)
			}
		}
	}
	for word := range ordinaryWords {
		if freeWords[word] != "" {
			t.Errorf("%q is listed by name, and free", word)
		}
	}
}

// unusedOrdinary finds names of ordinaryUses that their folder does not have any more.
func unusedOrdinary(declared map[string]map[string]bool) (findings []string) {
	for _, dir := range slices.Sorted(maps.Keys(ordinaryNamesOf)) {
		for _, name := range ordinaryNamesOf[dir] {
			if !declared[dir][name] {
				findings = append(findings, fmt.Sprintf("ordinaryUses lists %s of %s, which is not there: take it off", name,
					dir))
			}
		}
	}
	return findings
}
