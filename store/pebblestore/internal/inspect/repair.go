// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// Checksums tell which bit has flipped, if it is one: a salvage puts it right as it reads, and the
// damage costs nothing, where that of the index of a table would cost all that it leads to, that of
// a log or a manifest all that comes later.

// checksumBytes is how long a checksum is: it ends a block of a table, and begins a chunk of a
// record.
const checksumBytes = 4

// trailerBytes is what follows a block of a table: its kind of compression, and the checksum.
const trailerBytes = 1 + checksumBytes

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mask returns a checksum as tables have it.
func mask(sum uint32) uint32 { return bits.RotateLeft32(sum, 17) + 0xa282ead8 }

func unmask(sum uint32) uint32 { return bits.RotateLeft32(sum-0xa282ead8, -17) }

// repairedTable is a table in which bits are put right. The engine reads a block at a time.
type repairedTable struct {
	vfs.File
	name   string
	size   int64
	mended *Mended
}

// ReadAt implements vfs.File. What was looked at in vain is not looked at again, when the engine
// comes back to it.
func (r repairedTable) ReadAt(p []byte, off int64) (n int, err error) {
	n, err = r.File.ReadAt(p, off)
	if n < len(p) || !r.mended.mayTry(r.name, off, n) {
		return n, err
	}
	was := bytes.Clone(p)
	whole := false
	if off+int64(n) == r.size {
		whole = r.repairFooter(p)
	} else {
		whole = repairBlock(p)
	}
	if !whole {
		r.mended.failed(r.name, off, n)
	}
	r.mended.note(r.name, off, was, p)
	return n, err
}

// repairBlock puts a flipped bit of a block right, if there is one. It reports whether the block is
// whole.
func repairBlock(b []byte) bool {
	n := len(b) - checksumBytes
	return n <= 0 || repair(b[n:], b[:n])
}

// repair puts a flipped bit right in a checksum or in what it is of. It reports whether both are
// whole.
func repair(checksum, of []byte) bool {
	stored, sum := binary.LittleEndian.Uint32(checksum), crc32.Checksum(of, castagnoli)
	if bits.OnesCount32(stored^mask(sum)) <= 1 {
		binary.LittleEndian.PutUint32(checksum, mask(sum))
		return true
	}
	differs := unmask(stored) ^ sum
	for bit := range 8 {
		flips := castagnoli[1<<bit] // in the checksum, by this bit of the byte at i
		for i := len(of) - 1; i >= 0; i-- {
			if flips == differs {
				of[i] ^= 1 << bit
				return true
			}
			flips = castagnoli[byte(flips)] ^ flips>>8
		}
	}
	return false
}

// mostIndex bounds what is read to find out which bit of a footer has flipped.
const mostIndex = 256 << 20

// mostFlipped is how many bits of a footer are put right, at most: what differs in more is not a
// footer.
const mostFlipped = 4

// repairFooter puts flipped bits of the footer right, with which b ends: one of where blocks lie,
// some of what all footers have. It changes nothing unless whole blocks lie where it says then. It
// reports whether they do.
func (r repairedTable) repairFooter(b []byte) bool {
	if len(b) < disk.FooterBytes {
		return false
	}
	footer := b[len(b)-disk.FooterBytes:]
	right := bytes.Clone(footer)
	handles := right[1 : disk.FooterBytes-len(disk.FooterEnd)]
	right[0] = disk.FooterKind
	copy(right[disk.FooterBytes-len(disk.FooterEnd):], disk.FooterEnd)
	flipped := 0
	for i := range footer {
		flipped += bits.OnesCount8(footer[i] ^ right[i])
	}
	if flipped > mostFlipped {
		return false
	}
	try := attempts{r, mostIndex, nil}
	found := try.leads(handles)
	for i := 0; i < 8*len(handles) && !found && flipped < mostFlipped; i++ {
		handles[i/8] ^= 1 << (i % 8)
		if found = try.leads(handles); !found {
			handles[i/8] ^= 1 << (i % 8)
		}
	}
	if found {
		copy(footer, right)
	}
	return found
}

// attempts find out where the last blocks of a table lie.
type attempts struct {
	table  repairedTable
	left   int64  // how much more is read
	buffer []byte // for a block
}

// leads reports whether blocks that are whole lie where a footer says: one that ends where the
// footer begins, which few bits leave so, and one before it.
func (a *attempts) leads(handles []byte) bool {
	meta, metaLength, rest, ok := disk.Handle(handles, a.table.size)
	if !ok || meta+metaLength+trailerBytes != a.table.size-disk.FooterBytes {
		return false
	}
	index, indexLength, rest, ok := disk.Handle(rest, meta)
	if !ok || index+indexLength+trailerBytes > meta || len(bytes.Trim(rest, "\x00")) > 0 {
		return false
	}
	return a.isWhole(meta, metaLength) && a.isWhole(index, indexLength)
}

// isWhole reports whether a block has its checksum.
func (a *attempts) isWhole(offset, length int64) bool {
	if length > a.left {
		return false
	}
	a.left -= length
	a.buffer = slices.Grow(a.buffer[:0], int(length+trailerBytes))[:length+trailerBytes]
	if _, err := a.table.File.ReadAt(a.buffer, offset); err != nil {
		return false
	}
	end := len(a.buffer) - checksumBytes
	return binary.LittleEndian.Uint32(a.buffer[end:]) == mask(crc32.Checksum(a.buffer[:end], castagnoli))
}

// Logs and manifests are records, cut into chunks of which none goes beyond a block: a checksum,
// the length, the kind, which says how long the head is, and what the checksum is of besides.
const (
	recordBlock = 32 << 10
	lengthAt    = checksumBytes
	kindAt      = lengthAt + 2
)

// chunkHeads are how long heads are, by kind.
var chunkHeads = [...]int{0, 7, 7, 7, 7, 11, 11, 11, 11, 19, 19, 19, 19}

// repairRecords puts flipped bits of records right, one for each chunk, up to what cannot be.
func repairRecords(b []byte) {
	for at := 0; at+chunkHeads[1] <= len(b); {
		rest := b[at:min(len(b), at+recordBlock-at%recordBlock)]
		size := len(rest) // nothing follows in the block
		if len(rest) >= chunkHeads[1] && !bytes.Equal(rest[:chunkHeads[1]], make([]byte, chunkHeads[1])) {
			size = repairChunk(rest)
		}
		if size == 0 {
			return
		}
		at += size
	}
}

// repairChunk puts a flipped bit of the chunk right with which b begins. It returns its length; 0:
// it is not whole.
func repairChunk(b []byte) int {
	whole := func(mend bool) int {
		if int(b[kindAt]) >= len(chunkHeads) {
			return 0
		}
		size := chunkHeads[b[kindAt]] + int(binary.LittleEndian.Uint16(b[lengthAt:]))
		if size > len(b) || size == 0 {
			return 0
		}
		checksum, of := b[:checksumBytes], b[kindAt:size]
		if binary.LittleEndian.Uint32(checksum) == mask(crc32.Checksum(of, castagnoli)) ||
			mend && repair(checksum, of) {
			return size
		}
		return 0
	}
	if size := whole(false); size > 0 {
		return size
	}
	for i := 8 * lengthAt; i < 8*(kindAt+1); i++ { // which say where it ends
		b[i/8] ^= 1 << (i % 8)
		if size := whole(false); size > 0 {
			return size
		}
		b[i/8] ^= 1 << (i % 8)
	}
	return whole(true)
}
