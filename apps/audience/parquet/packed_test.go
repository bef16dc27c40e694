// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	library "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/uproar-db/uproar/apps/audience"
)

// packed compresses with a writer.
func packed(t *testing.T, data []byte, w func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	z := w(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(w io.Writer) io.WriteCloser  { return gzip.NewWriter(w) }
func brotlied(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }

// TestReadBombs reads files of which a page unpacks to far more than it claims, or never. Each is
// refused, and takes little memory.
func TestReadBombs(t *testing.T) {
	zeros := make([]byte, 64<<20)
	frame, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	small := frame.EncodeAll(make([]byte, 8), nil) // what the page claims
	block := make([]byte, lz4.CompressBlockBound(len(zeros)))
	n, err := lz4.CompressBlock(zeros, block, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		codec format.CompressionCodec
		body  []byte
	}{
		"snappy":                {format.Snappy, snappy.Encode(nil, zeros)},
		"snappy without a byte": {format.Snappy, nil},
		"snappy, any length":    {format.Snappy, binary.AppendUvarint(nil, 1<<62)},
		"gzip":                  {format.Gzip, packed(t, zeros, gzipped)},
		"no gzip":               {format.Gzip, []byte("xxxxxxxx")},
		"brotli":                {format.Brotli, packed(t, zeros, brotlied)},
		"no brotli":             {format.Brotli, []byte("xxxxxxxx")},
		"zstd":                  {format.Zstd, frame.EncodeAll(zeros, nil)},
		"zstd, of unknown length": {format.Zstd, packed(t, zeros, func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		})},
		"zstd, many frames": {format.Zstd, bytes.Repeat(small, 1000)},
		"zstd, cut":         {format.Zstd, small[:len(small)-1]},
		"no zstd":           {format.Zstd, []byte("xxxxxxxx")},
		"lz4":               {format.Lz4Raw, block[:n]},
		"no lz4":            {format.Lz4Raw, []byte{0, 0, 0, 0, 0, 0}},
		"lz4, cut":          {format.Lz4Raw, []byte{0xFF}},
	} {
		c := newClaim(t)
		c.meta.RowGroups[0].Columns[1].MetaData.Codec = x.codec
		c.body, c.head.CompressedPageSize = x.body, int32(len(x.body))
		c.head.DataPageHeaderV2.V.IsCompressed.V, c.head.DataPageHeaderV2.V.IsCompressed.Valid = true, true
		file := c.file(t, nil, nil)
		var before, after runtime.MemStats
		i, im := begin(t.Context(), t, false, columns(t, "age:integer"))
		runtime.ReadMemStats(&before)
		i.finish(im, file)
		runtime.ReadMemStats(&after)
		if !errors.Is(i.err, audience.ErrTable) || !strings.Contains(i.err.Error(), `column "age": page at byte `) {
			t.Errorf("%s: got %v, want ErrTable about the page", name, i.err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%s: took %d bytes of memory for a file of %d", name, took, len(file))
		}
	}
}

// TestReadPacked reads what is compressed in every way that there is.
func TestReadPacked(t *testing.T) {
	people := manyRecords(500)
	for _, codec := range []compress.Codec{&library.Uncompressed, &library.Snappy, &library.Gzip, &library.Brotli,
		&library.Zstd, &library.Lz4Raw} {
		for version := 1; version <= 2; version++ {
			data := write(t, people, library.Compression(codec), library.DataPageVersion(version))
			i := read(t.Context(), t, data, true, columns(t, "likes:set"))
			if i.err != nil || i.state.Records != int64(len(people)) {
				t.Errorf("%s, version %d: got %d records, %v, want %d", codec, version, i.state.Records, i.err,
					len(people))
			}
		}
	}
}

// TestReadManyColumns: pages that are small enough one by one are refused when they take too much
// memory together.
func TestReadManyColumns(t *testing.T) {
	c := newClaim(t)
	c.head.UncompressedPageSize = 256 << 20
	c.head.DataPageHeader.V.NumValues, c.head.DataPageHeaderV2.V.NumValues = 1<<24, 1<<24
	c.file(t, nil, nil) // which notes the size of the page
	schema, chunks := c.meta.Schema, c.meta.RowGroups[0].Columns
	again, chunk := schema[len(schema)-1], chunks[1]
	again.Name, chunk.MetaData.PathInSchema = "again", []string{"again"}
	schema[0].NumChildren.V++
	c.meta.Schema, c.meta.RowGroups[0].Columns = append(schema, again), append(chunks, chunk)
	i := read(t.Context(), t, c.file(t, nil, nil), false, columns(t, "age:integer", "again:integer"))
	if !errors.Is(i.err, audience.ErrTable) || !strings.Contains(i.err.Error(), "try smaller pages or fewer columns") {
		t.Errorf("got %v, want too much memory", i.err)
	}
}
