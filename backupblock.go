// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/uproar-db/uproar/store"
)

// A backup is a preamble and blocks (docs/format/backup.md).
const (
	backupMagic   = "\xBBuproar"
	backupVersion = 1
	backupIDLen   = 16
	backupPreLen  = len(backupMagic) + 1 + backupIDLen

	blockHead    = 1
	blockEntries = 2
	blockEnd     = 3

	blockHeadLen = 12
	entryHeadLen = 2 + 4
	endBodyLen   = 8 + 8
	backupEndLen = blockHeadLen + endBodyLen

	// blockBytes is the size at which a block of entries is written. One may have more by an entry.
	blockBytes   = 1 << 20
	maxBlockBody = blockBytes + entryHeadLen + store.MaxKey + store.MaxValue
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockSum returns the checksum of a block: it holds in one place of one backup only.
func blockSum(id [backupIDLen]byte, number uint64, head, body []byte) uint32 {
	var place [backupIDLen + 8]byte
	copy(place[:], id[:])
	binary.LittleEndian.PutUint64(place[backupIDLen:], number)
	s := crc32.Update(0, castagnoli, place[:])
	s = crc32.Update(s, castagnoli, head[:8])
	return crc32.Update(s, castagnoli, body)
}

// backupWriter writes a backup block by block.
type backupWriter struct {
	w       io.Writer
	id      [backupIDLen]byte
	blocks  uint64
	entries uint64
	block   []byte // the block of entries that is being filled; its head first
}

// newBackupWriter writes the preamble and the head.
func newBackupWriter(w io.Writer, id [backupIDLen]byte, head *backupHead) (*backupWriter, error) {
	body, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	if len(body) > maxBlockBody {
		return nil, fmt.Errorf("%w: backup: got a head of %d bytes, want at most %d", ErrTooLarge, len(body),
			maxBlockBody)
	}
	b := &backupWriter{w: w, id: id, block: make([]byte, blockHeadLen, blockHeadLen+blockBytes+64<<10)}
	pre := append([]byte(backupMagic), backupVersion)
	if _, err := w.Write(append(pre, id[:]...)); err != nil {
		return nil, err
	}
	return b, b.write(blockHead, append(make([]byte, blockHeadLen), body...))
}

// write writes a block, which has room for its head.
func (b *backupWriter) write(kind byte, block []byte) error {
	head, body := block[:blockHeadLen], block[blockHeadLen:]
	copy(head, []byte{kind, 0, 0, 0})
	binary.LittleEndian.PutUint32(head[4:], uint32(len(body)))
	binary.LittleEndian.PutUint32(head[8:], blockSum(b.id, b.blocks, head, body))
	b.blocks++
	_, err := b.w.Write(block)
	return err
}

// entry adds an entry of the store.
func (b *backupWriter) entry(key, value []byte) error {
	b.block = binary.LittleEndian.AppendUint16(b.block, uint16(len(key)))
	b.block = binary.LittleEndian.AppendUint32(b.block, uint32(len(value)))
	b.block = append(append(b.block, key...), value...)
	b.entries++
	if len(b.block) < blockHeadLen+blockBytes {
		return nil
	}
	return b.flush()
}

// flush writes the entries gathered.
func (b *backupWriter) flush() error {
	if len(b.block) == blockHeadLen {
		return nil
	}
	err := b.write(blockEntries, b.block)
	b.block = b.block[:blockHeadLen]
	return err
}

// end writes what is left, and the end.
func (b *backupWriter) end() error {
	if err := b.flush(); err != nil {
		return err
	}
	block := make([]byte, blockHeadLen, backupEndLen)
	block = binary.LittleEndian.AppendUint64(block, b.blocks)
	return b.write(blockEnd, binary.LittleEndian.AppendUint64(block, b.entries))
}

// backupReader reads a backup block by block.
type backupReader struct {
	r       io.Reader
	id      [backupIDLen]byte
	head    *backupHead
	blocks  uint64
	entries uint64
}

// newBackupReader reads preamble and head.
func newBackupReader(r io.Reader) (*backupReader, error) {
	b := &backupReader{r: r}
	var pre [backupPreLen]byte
	n, err := io.ReadFull(r, pre[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if n < len(backupMagic) || string(pre[:len(backupMagic)]) != backupMagic {
		return nil, fmt.Errorf("%w: it begins with %x", ErrNotBackup, pre[:min(n, len(backupMagic))])
	}
	if n > len(backupMagic) && pre[len(backupMagic)] != backupVersion {
		return nil, fmt.Errorf("%w: backup: got %d, want %d", ErrVersion, pre[len(backupMagic)], backupVersion)
	}
	if n < len(pre) {
		return nil, b.cut()
	}
	copy(b.id[:], pre[len(backupMagic)+1:])
	kind, body, err := b.block()
	if err != nil {
		return nil, err
	}
	if kind != blockHead {
		return nil, fmt.Errorf("%w: backup: got a block of kind %d first, want %d", ErrCorrupt, kind, blockHead)
	}
	b.head, err = decodeHead(body)
	return b, err
}

// cut returns the error of a backup that ends before its end.
func (b *backupReader) cut() error {
	return fmt.Errorf("%w: backup: it is cut short: got %d whole blocks, and no end", ErrCorrupt, b.blocks)
}

// block reads and checks the next block. The bytes belong to the caller.
func (b *backupReader) block() (kind byte, body []byte, err error) {
	var head [blockHeadLen]byte
	if err := b.read(head[:]); err != nil {
		return 0, nil, err
	}
	length := binary.LittleEndian.Uint32(head[4:])
	if length > maxBlockBody {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got %d bytes, want at most %d", ErrCorrupt, b.blocks, length,
			maxBlockBody)
	}
	body = make([]byte, length)
	if err := b.read(body); err != nil {
		return 0, nil, err
	}
	if got, want := binary.LittleEndian.Uint32(head[8:]), blockSum(b.id, b.blocks, head[:], body); got != want {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got checksum %08x, want %08x", ErrCorrupt, b.blocks, got, want)
	}
	if head[0] < blockHead || head[0] > blockEnd || head[1] != 0 || head[2] != 0 || head[3] != 0 {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got kind %x, want %d to %d", ErrVersion, b.blocks, head[:4],
			blockHead, blockEnd)
	}
	b.blocks++
	return head[0], body, nil
}

// read fills p.
func (b *backupReader) read(p []byte) error {
	_, err := io.ReadFull(b.r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b.cut()
	}
	return err
}

// next reads the next block of entries and calls fn with each; their bytes are fn's to keep. more
// is false at the end of the backup, which has been checked.
func (b *backupReader) next(fn func(key, value []byte) error) (more bool, err error) {
	kind, body, err := b.block()
	if err != nil {
		return false, err
	}
	switch kind {
	case blockEnd:
		if err := b.isEnd(body, b.blocks-1); err != nil {
			return false, err
		}
		if got := binary.LittleEndian.Uint64(body[8:]); got != b.entries {
			return false, fmt.Errorf("%w: backup: end: got a count of %d entries, want %d", ErrCorrupt, got, b.entries)
		}
		if n, err := io.ReadFull(b.r, make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
			if n == 0 {
				return false, err
			}
			return false, fmt.Errorf("%w: backup: got more bytes after its end", ErrCorrupt)
		}
		return false, nil
	case blockHead:
		return false, fmt.Errorf("%w: backup: block %d: got a second head", ErrCorrupt, b.blocks-1)
	}
	for len(body) > 0 {
		if len(body) < entryHeadLen {
			return false, b.short()
		}
		k, v := uint64(binary.LittleEndian.Uint16(body)), uint64(binary.LittleEndian.Uint32(body[2:]))
		if body = body[entryHeadLen:]; k+v > uint64(len(body)) || k > store.MaxKey || v > store.MaxValue {
			return false, b.short()
		}
		if err := fn(body[:k:k], body[k:k+v:k+v]); err != nil {
			return false, err
		}
		body = body[k+v:]
		b.entries++
	}
	return true, nil
}

func (b *backupReader) short() error {
	return fmt.Errorf("%w: backup: block %d: the checksum is right but an entry goes beyond its end", ErrCorrupt,
		b.blocks-1)
}

// isEnd checks the body of the end block, which is to count the blocks before it.
func (b *backupReader) isEnd(body []byte, blocks uint64) error {
	if len(body) != endBodyLen || binary.LittleEndian.Uint64(body) != blocks {
		return fmt.Errorf("%w: backup: end: got %x, want %d bytes, and a count of %d blocks", ErrCorrupt, body,
			endBodyLen, blocks)
	}
	return nil
}

// checkEnd reads the last block, which is next. Where it stands among the blocks is known only from
// what it says of itself.
func (b *backupReader) checkEnd() error {
	var end [backupEndLen]byte
	if err := b.read(end[:]); err != nil {
		return err
	}
	body := end[blockHeadLen:]
	number := binary.LittleEndian.Uint64(body)
	if end[0] != blockEnd || binary.LittleEndian.Uint32(end[8:]) != blockSum(b.id, number, end[:], body) {
		return b.cut()
	}
	return nil
}
