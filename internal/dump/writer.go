// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Writer writes a backup block by block. Not for concurrent use.
type Writer struct {
	w       io.Writer
	id      ID
	blocks  uint64
	entries uint64
	block   []byte // the block of entries that is being filled; its head first
}

// NewWriter writes the preamble and the head. Errors: model.ErrTooLarge, or w's.
func NewWriter(w io.Writer, id ID, head *Head) (*Writer, error) {
	body, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	if len(body) > maxBlockBody {
		return nil, fmt.Errorf("%w: backup: got a head of %d bytes, want at most %d", model.ErrTooLarge, len(body),
			maxBlockBody)
	}
	b := &Writer{w: w, id: id, block: make([]byte, blockHeadLen, blockHeadLen+blockBytes+64<<10)}
	pre := append([]byte(magic), version)
	if _, err := w.Write(append(pre, id[:]...)); err != nil {
		return nil, err
	}
	return b, b.write(blockHead, append(make([]byte, blockHeadLen), body...))
}

// write writes a block, which has room for its head.
func (b *Writer) write(kind byte, block []byte) error {
	head, body := block[:blockHeadLen], block[blockHeadLen:]
	copy(head, []byte{kind, 0, 0, 0})
	binary.LittleEndian.PutUint32(head[4:], uint32(len(body)))
	binary.LittleEndian.PutUint32(head[8:], blockSum(b.id, b.blocks, head, body))
	b.blocks++
	_, err := b.w.Write(block)
	return err
}

// entry adds an entry of the store. Its bytes are copied. Errors: the writer's.
func (b *Writer) entry(key, value []byte) error {
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
func (b *Writer) flush() error {
	if len(b.block) == blockHeadLen {
		return nil
	}
	err := b.write(blockEntries, b.block)
	b.block = b.block[:blockHeadLen]
	return err
}

// end writes what is left, and the end. Errors: the writer's.
func (b *Writer) end() error {
	if err := b.flush(); err != nil {
		return err
	}
	block := make([]byte, blockHeadLen, endLen)
	block = binary.LittleEndian.AppendUint64(block, b.blocks)
	return b.write(blockEnd, binary.LittleEndian.AppendUint64(block, b.entries))
}
