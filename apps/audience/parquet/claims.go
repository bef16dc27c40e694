// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// The bounds of what a file may claim. The library takes the memory that is claimed before it looks
// for the bytes.
const (
	maxFooter = 256 << 20 // bytes of the footer, and about what it becomes in memory
	maxPage   = 256 << 20 // bytes of a page, uncompressed
	maxValues = 1 << 24   // of a page
	maxHead   = 16 << 20  // bytes of the header of a page, which may have long least and greatest values
	firstHead = 512       // of it are read first
	endBytes  = 8         // of a file, behind the footer: its length, and PAR1
)

// checkFooter fails for a footer that claims more than the file has, or too much memory.
func checkFooter(r io.ReaderAt, size int64) error {
	var end [endBytes]byte
	if size < 4+endBytes {
		return fmt.Errorf("got %d bytes, want a Parquet file", size)
	}
	if err := readFull(r, end[:], size-endBytes); err != nil {
		return err
	}
	if magic := string(end[4:]); magic != "PAR1" {
		return fmt.Errorf("got %q as the last bytes, want PAR1", magic)
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > min(maxFooter, size-4-endBytes) {
		return fmt.Errorf("got a footer of %d bytes in a file of %d, want at most %d", length, size, maxFooter)
	}
	footer := make([]byte, length)
	if err := readFull(r, footer, size-endBytes-length); err != nil {
		return err
	}
	c := compact{data: footer}
	if err := c.fields(0, ignore); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	if c.memory > maxFooter {
		return fmt.Errorf("got a footer that takes %d bytes of memory, want at most %d; try fewer columns or row groups",
			c.memory, maxFooter)
	}
	return nil
}

// checkChunk fails for a column of a row group whose pages claim more than the file has, or too
// much memory. It reads the headers of all its pages.
func checkChunk(r io.ReaderAt, size int64, file *parquet.File, group, column int) (err error) {
	chunk := &file.Metadata().RowGroups[group].Columns[column].MetaData
	defer func() {
		if err != nil {
			err = fmt.Errorf("row group %d, column %q: %w", group+1, strings.Join(chunk.PathInSchema, "."), err)
		}
	}()
	at, length := chunk.DataPageOffset, chunk.TotalCompressedSize
	if chunk.DictionaryPageOffset != 0 {
		at = chunk.DictionaryPageOffset
	}
	if at < 4 || length < 0 || at > size || length > size-at {
		return fmt.Errorf("got pages of %d bytes from byte %d on, want them within the file of %d bytes", length, at, size)
	}
	for end := at + length; at < end; {
		p, err := readHead(r, at, end)
		if err != nil {
			return fmt.Errorf("page at byte %d: %w", at, err)
		}
		at += p.head + p.compressed
	}
	return nil
}

// pageHead is what the header of a page claims.
type pageHead struct {
	head, compressed, uncompressed, values int64
}

// readHead reads the header of the page at a place, whose column ends at another.
func readHead(r io.ReaderAt, at, end int64) (p pageHead, err error) {
	for n := int64(firstHead); ; n *= 8 {
		c := compact{data: make([]byte, min(n, end-at))}
		if err := readFull(r, c.data, at); err != nil {
			return p, err
		}
		if p, err = parseHead(&c); err == nil {
			break
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || n >= min(maxHead, end-at) {
			return p, err
		}
	}
	switch {
	case p.compressed < 0 || p.compressed > end-at-p.head:
		return p, fmt.Errorf("got %d bytes, want at most the %d that are left of its column", p.compressed,
			end-at-p.head)
	case p.uncompressed < 0 || p.uncompressed > maxPage:
		return p, fmt.Errorf("got %d bytes uncompressed, want at most %d; try smaller pages", p.uncompressed, maxPage)
	case p.values < 0 || p.values > maxValues:
		return p, fmt.Errorf("got %d values, want at most %d; try smaller pages", p.values, maxValues)
	}
	return p, nil
}

// parseHead parses the header of a page. Field numbers are those of parquet.thrift.
func parseHead(c *compact) (p pageHead, err error) {
	number := func(to *int64, kind byte) (err error) {
		if kind < typeInt16 || kind > typeInt64 {
			return errThrift
		}
		*to, err = c.varint()
		return err
	}
	err = c.fields(0, func(id int64, kind byte) error {
		switch {
		case id == 2:
			return number(&p.uncompressed, kind)
		case id == 3:
			return number(&p.compressed, kind)
		case (id == 5 || id == 7 || id == 8) && kind == typeStruct: // of a data page, a dictionary, a data page V2
			return c.fields(1, func(id int64, kind byte) error {
				if id != 1 {
					return nil
				}
				return number(&p.values, kind)
			})
		}
		return nil
	})
	p.head = int64(c.at)
	if err == nil && c.memory > maxHead {
		err = fmt.Errorf("got a header that takes %d bytes of memory, want at most %d", c.memory, maxHead)
	}
	return p, err
}

// readFull fills a slice from a place of a file.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}
