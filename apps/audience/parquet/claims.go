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
	maxPage   = 256 << 20 // bytes of a page, compressed or not
	maxValues = 1 << 24   // of a page
	maxPages  = 1 << 30   // of memory, about, for a page and a dictionary of each column that is read
	valueSize = 24        // of memory for a value of a page, about, beside its bytes
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

// checkGroup fails for a row group in which the pages of some columns claim more than the file has,
// or too much memory, or unpack to more than they claim. It reads these columns.
func checkGroup(r io.ReaderAt, size int64, file *parquet.File, group int, leaves []leaf) error {
	all := int64(0)
	for _, l := range leaves {
		memory, err := checkChunk(r, size, file, group, l.index)
		if err != nil {
			return err
		}
		all += memory
	}
	if all > maxPages {
		return fmt.Errorf("row group %d: got pages that take %d bytes of memory in %d columns, want at most %d; try "+
			"smaller pages or fewer columns", group+1, all, len(leaves), maxPages)
	}
	return nil
}

// checkChunk is checkGroup of a column. It returns about how much memory reading it takes: that of
// the largest page, and of the dictionary.
func checkChunk(r io.ReaderAt, size int64, file *parquet.File, group, column int) (memory int64, err error) {
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
		return 0, fmt.Errorf("got pages of %d bytes from byte %d on, want them within the file of %d bytes", length, at,
			size)
	}
	page, dictionary := int64(0), int64(0)
	var room []byte
	for end := at + length; at < end; {
		p, err := readHead(r, at, end)
		if err == nil {
			room, err = checkPacked(r, chunk.Codec, at+p.head, &p, room)
		}
		if err != nil {
			return 0, fmt.Errorf("page at byte %d: %w", at, err)
		}
		takes := p.uncompressed + valueSize*p.values
		if p.kind == dictionaryPage {
			dictionary = max(dictionary, takes)
		} else {
			page = max(page, takes)
		}
		at += p.head + p.compressed
	}
	return page + dictionary, nil
}

// pageHead is what the header of a page claims.
type pageHead struct {
	kind                                   int64
	head, compressed, uncompressed, values int64
	levels                                 int64 // bytes that are not compressed, of a data page V2
	plain                                  bool  // nothing of a data page V2 is compressed
}

// The kinds of pages that are not data pages of the first version.
const (
	dictionaryPage = 2
	dataPageV2     = 3
)

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
	if p.kind != dataPageV2 {
		p.levels, p.plain = 0, false
	}
	switch {
	case p.compressed < 0 || p.compressed > end-at-p.head:
		return p, fmt.Errorf("got %d bytes, want at most the %d that are left of its column", p.compressed,
			end-at-p.head)
	case p.compressed > maxPage:
		return p, fmt.Errorf("got %d bytes, want at most %d; try smaller pages", p.compressed, maxPage)
	case p.uncompressed < 0 || p.uncompressed > maxPage:
		return p, fmt.Errorf("got %d bytes uncompressed, want at most %d; try smaller pages", p.uncompressed, maxPage)
	case p.values > maxValues:
		return p, fmt.Errorf("got %d values, want at most %d; try smaller pages", p.values, maxValues)
	case p.levels > min(p.compressed, p.uncompressed):
		return p, fmt.Errorf("got levels of %d bytes in a page of %d", p.levels, p.compressed)
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
	// The library takes one of several members by the kind of the page. The greatest one counts.
	most := func(to *int64, kind byte) error {
		n := int64(0)
		err := number(&n, kind)
		if err == nil && n < 0 {
			err = fmt.Errorf("got the number %d, want 0 or more", n)
		}
		*to = max(*to, n)
		return err
	}
	err = c.fields(0, func(id int64, kind byte) error {
		switch {
		case id == 1:
			return number(&p.kind, kind)
		case id == 2:
			return number(&p.uncompressed, kind)
		case id == 3:
			return number(&p.compressed, kind)
		case (id == 5 || id == 7 || id == 8) && kind == typeStruct: // of a data page, a dictionary, a data page V2
			return c.fields(1, func(member int64, kind byte) error {
				switch {
				case member == 1:
					return most(&p.values, kind)
				case id == 8 && (member == 5 || member == 6):
					n := int64(0)
					err := most(&n, kind)
					p.levels += n
					return err
				case id == 8 && member == 7:
					p.plain = kind == typeFalse
				}
				return nil
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
