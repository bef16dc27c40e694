// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// Reader reads a backup block by block. Not for concurrent use.
type Reader struct {
	ID   ID
	Head *Head

	r       io.Reader
	blocks  uint64
	entries uint64
}

// NewReader reads preamble and head. Errors: ErrNotBackup, model.ErrCorrupt, model.ErrVersion, or
// r's.
func NewReader(r io.Reader) (*Reader, error) {
	b := &Reader{r: r}
	var pre [preambleLen]byte
	n, err := io.ReadFull(r, pre[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if n < len(magic) || string(pre[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it begins with %x", ErrNotBackup, pre[:min(n, len(magic))])
	}
	if n > len(magic) && pre[len(magic)] != version {
		return nil, fmt.Errorf("%w: backup: got %d, want %d", model.ErrVersion, pre[len(magic)], version)
	}
	if n < len(pre) {
		return nil, b.cut()
	}
	copy(b.ID[:], pre[len(magic)+1:])
	kind, body, err := b.block()
	if err != nil {
		return nil, err
	}
	if kind != blockHead {
		return nil, fmt.Errorf("%w: backup: got a block of kind %d first, want %d", model.ErrCorrupt, kind, blockHead)
	}
	b.Head, err = decodeHead(body)
	return b, err
}

// cut returns the error of a backup that ends before its end.
func (b *Reader) cut() error {
	return fmt.Errorf("%w: backup: it is cut short: got %d whole blocks, and no end", model.ErrCorrupt, b.blocks)
}

// block reads and checks the next block. The bytes belong to the caller.
func (b *Reader) block() (kind byte, body []byte, err error) {
	var head [blockHeadLen]byte
	if err := b.read(head[:]); err != nil {
		return 0, nil, err
	}
	length := binary.LittleEndian.Uint32(head[4:])
	if length > maxBlockBody {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got %d bytes, want at most %d", model.ErrCorrupt, b.blocks, length,
			maxBlockBody)
	}
	body = make([]byte, length)
	if err := b.read(body); err != nil {
		return 0, nil, err
	}
	if got, want := binary.LittleEndian.Uint32(head[8:]), blockSum(b.ID, b.blocks, head[:], body); got != want {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got checksum %08x, want %08x", model.ErrCorrupt, b.blocks, got, want)
	}
	if head[0] < blockHead || head[0] > blockEnd || head[1] != 0 || head[2] != 0 || head[3] != 0 {
		return 0, nil, fmt.Errorf("%w: backup: block %d: got kind %x, want %d to %d", model.ErrVersion, b.blocks,
			head[:4], blockHead, blockEnd)
	}
	b.blocks++
	return head[0], body, nil
}

// read fills p.
func (b *Reader) read(p []byte) error {
	_, err := io.ReadFull(b.r, p)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b.cut()
	}
	return err
}

// next reads the next block of entries and calls fn with each. Their bytes are fn's to keep. more
// is false at the end of the backup, which has been checked. Errors: model.ErrCorrupt,
// model.ErrVersion, fn's, or the reader's.
func (b *Reader) next(fn func(key, value []byte) error) (more bool, err error) {
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
			return false, fmt.Errorf("%w: backup: end: got a count of %d entries, want %d", model.ErrCorrupt, got, b.entries)
		}
		if n, err := io.ReadFull(b.r, make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
			if n == 0 {
				return false, err
			}
			return false, fmt.Errorf("%w: backup: got more bytes after its end", model.ErrCorrupt)
		}
		return false, nil
	case blockHead:
		return false, fmt.Errorf("%w: backup: block %d: got a second head", model.ErrCorrupt, b.blocks-1)
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

func (b *Reader) short() error {
	return fmt.Errorf("%w: backup: block %d: the checksum is right but an entry goes beyond its end", model.ErrCorrupt,
		b.blocks-1)
}

// isEnd checks the body of the end block, which is to count the blocks before it.
func (b *Reader) isEnd(body []byte, blocks uint64) error {
	if len(body) != endBodyLen || binary.LittleEndian.Uint64(body) != blocks {
		return fmt.Errorf("%w: backup: end: got %x, want %d bytes, and a count of %d blocks", model.ErrCorrupt, body,
			endBodyLen, blocks)
	}
	return nil
}

// SeekEnd goes to the last block of the backup, for CheckEnd. Errors: model.ErrCorrupt together
// with that of s.
func (b *Reader) SeekEnd(s io.Seeker) error {
	if _, err := s.Seek(-endLen, io.SeekEnd); err != nil {
		return errors.Join(b.cut(), err)
	}
	return nil
}

// CheckEnd reads the last block, which is next. Where it stands among the blocks is known only from
// what it says of itself. Errors: model.ErrCorrupt, or the reader's.
func (b *Reader) CheckEnd() error {
	var end [endLen]byte
	if err := b.read(end[:]); err != nil {
		return err
	}
	body := end[blockHeadLen:]
	number := binary.LittleEndian.Uint64(body)
	if end[0] != blockEnd || binary.LittleEndian.Uint32(end[8:]) != blockSum(b.ID, number, end[:], body) {
		return b.cut()
	}
	return nil
}
