// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	library "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/uproar-db/uproar/apps/audience"
)

// claim is a file whose last page, of the column age, and footer can be made to claim anything.
type claim struct {
	pages []byte // of the columns before
	head  format.PageHeader
	body  []byte
	meta  format.FileMetaData
}

// newClaim takes a file apart.
func newClaim(t *testing.T) *claim {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[struct {
		ID  string `parquet:"id"`
		Age int32  `parquet:"age"`
	}](&b)
	if _, err := w.Write([]struct {
		ID  string `parquet:"id"`
		Age int32  `parquet:"age"`
	}{{"ann", 30}, {"bob", 40}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	length := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	c := new(claim)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), data[len(data)-8-length:len(data)-8], &c.meta); err != nil {
		t.Fatal(err)
	}
	age := &c.meta.RowGroups[0].Columns[1].MetaData
	begin := age.DataPageOffset
	if age.DictionaryPageOffset != 0 {
		t.Fatalf("got %+v, want a column of one page", age)
	}
	r := new(thrift.CompactProtocol).NewReaderFromBytes(data[begin:])
	if err := thrift.NewDecoder(r).Decode(&c.head); err != nil {
		t.Fatal(err)
	}
	body := begin + int64(r.BytesRead())
	c.pages, c.body = data[:begin], data[body:body+int64(c.head.CompressedPageSize)]
	return c
}

// file puts the file together, with a header and a footer of other bytes if they are given.
func (c *claim) file(t *testing.T, head, footer []byte) []byte {
	t.Helper()
	var err error
	if head == nil {
		if head, err = thrift.Marshal(new(thrift.CompactProtocol), &c.head); err != nil {
			t.Fatal(err)
		}
	}
	age := &c.meta.RowGroups[0].Columns[1].MetaData
	if age.TotalCompressedSize != math.MaxInt64 {
		age.TotalCompressedSize = int64(len(head) + len(c.body))
	}
	if footer == nil {
		if footer, err = thrift.Marshal(new(thrift.CompactProtocol), &c.meta); err != nil {
			t.Fatal(err)
		}
	}
	file := append(append(append([]byte{}, c.pages...), head...), c.body...)
	file = binary.LittleEndian.AppendUint32(append(file, footer...), uint32(len(footer)))
	return append(file, "PAR1"...)
}

// TestReadClaims reads files of a few bytes that claim to be huge. Each is refused, and takes
// little memory.
func TestReadClaims(t *testing.T) {
	const huge = math.MaxInt32
	lengthOf := binary.AppendUvarint(nil, huge)
	age := func(c *claim) *format.ColumnMetaData { return &c.meta.RowGroups[0].Columns[1].MetaData }
	for name, x := range map[string]struct {
		change       func(c *claim)
		head, footer []byte
		want         string // "": the file is read
	}{
		"nothing": {change: func(*claim) {}},
		"a page uncompressed": {change: func(c *claim) { c.head.UncompressedPageSize = huge },
			want: `row group 1, column "age": page at byte `},
		"a page just above the bound": {change: func(c *claim) { c.head.UncompressedPageSize = 256<<20 + 1 },
			want: "got 268435457 bytes uncompressed, want at most 268435456"},
		"a page below nothing": {change: func(c *claim) { c.head.UncompressedPageSize = -1 }, want: "got -1 bytes"},
		"a page in the file": {change: func(c *claim) { c.head.CompressedPageSize = huge },
			want: "that are left of its column"},
		"values": {change: func(c *claim) {
			c.head.DataPageHeader.V.NumValues, c.head.DataPageHeaderV2.V.NumValues = huge, huge
		}, want: "got 2147483647 values, want at most 16777216"},
		"an offset":    {change: func(c *claim) { age(c).DataPageOffset = 1 << 40 }, want: "within the file of"},
		"a dictionary": {change: func(c *claim) { age(c).DictionaryPageOffset = -5 }, want: "within the file of"},
		"a column": {change: func(c *claim) { age(c).TotalCompressedSize = math.MaxInt64 },
			want: "within the file of"},
		"a footer":           {footer: []byte{}, want: "parquet"},
		"elements":           {footer: append([]byte{0x29, 0xFC}, lengthOf...), want: "footer: unexpected EOF"},
		"a text":             {footer: append([]byte{0x68}, lengthOf...), want: "footer: unexpected EOF"},
		"a map":              {footer: append([]byte{0x6B}, append(lengthOf, 0x88)...), want: "footer: unexpected EOF"},
		"structs of nothing": {footer: emptyStructs(1 << 20), want: "takes 1073741824 bytes of memory, want at most"},
		"structs in structs": {footer: bytes.Repeat([]byte{0x1C}, 1000), want: "within each other"},
		"lists in lists":     {footer: bytes.Repeat([]byte{0x19}, 1000), want: "within each other"},
		"a text of a page":   {head: append([]byte{0x15, 0, 0x58}, lengthOf...), want: "unexpected EOF"},
		"another type":       {head: []byte{0x18, 0, 0x18, 0, 0}, want: "no Thrift"},
		"an unknown type":    {head: []byte{0x1E, 0}, want: "no Thrift"},
		"an endless number":  {head: bytes.Repeat([]byte{0xFF}, 100), want: "no Thrift"},
	} {
		c := newClaim(t)
		if x.change != nil {
			x.change(c)
		}
		file := c.file(t, x.head, x.footer)
		var before, after runtime.MemStats
		i, im := begin(t.Context(), t, false, columns(t, "age:integer"))
		runtime.ReadMemStats(&before)
		i.finish(im, file)
		runtime.ReadMemStats(&after)
		if x.want == "" {
			i.check(map[string]uint64{"age = 30": 1, "age = 40": 1})
			continue
		}
		if !errors.Is(i.err, audience.ErrTable) || !strings.Contains(i.err.Error(), x.want) {
			t.Errorf("%s: got %v, want ErrTable with %q", name, i.err, x.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%s: took %d bytes of memory for a file of %d", name, took, len(file))
		}
	}
}

// emptyStructs returns a footer with a list of structs without a field.
func emptyStructs(n int) []byte {
	footer := binary.AppendUvarint([]byte{0x29, 0xFC}, uint64(n))
	return append(append(footer, make([]byte, n)...), 0)
}

// TestReadLongHead reads a file whose page has least and greatest values of many bytes: a header
// longer than what is read of it at first.
func TestReadLongHead(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	people := []person{{ID: "a" + long, Likes: []string{long}}, {ID: "b" + long, Likes: []string{long}}}
	data := write(t, people, library.DataPageStatistics(true))
	i := read(t.Context(), t, data, true, columns(t, "likes:set"))
	if !errors.As(i.err, new(*audience.ValueError)) && i.err != nil {
		t.Fatalf("got %v, want the file read, but for keys and values that are too long", i.err)
	}
}

// TestReadHostile: the file that the tests of the server send is the one that claims a page of 2
// GiB.
func TestReadHostile(t *testing.T) {
	c := newClaim(t)
	c.head.UncompressedPageSize = math.MaxInt32
	const name = "testdata/hostile.parquet"
	got, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, c.file(t, nil, nil)) {
		t.Errorf("%s: got %d bytes, %v, want those of the claim", name, len(got), err)
	}
}
