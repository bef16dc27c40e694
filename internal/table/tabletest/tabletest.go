// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package tabletest has small files as people have them, and what every importer must make of each.
// All have the columns account and target: the key of a record and its one value, or a follow.
package tabletest

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

// File is a file and what must come of it.
type File struct {
	Name   string
	Text   string
	NDJSON bool // it has JSON objects; otherwise separated values
	Want
	Edges *Want // what must come of it as an edge list; nil: the same
}

// Want is what must come of a file.
type Want struct {
	Rows []string // as account>target
	Bad  []int64  // lines
	Err  string   // part of the error that ends the import; "": none
}

// rows makes a Want of rows between spaces, and bad lines.
func rows(words string, bad ...int64) Want { return Want{Rows: strings.Fields(words), Bad: bad} }

// fails makes a Want of an error.
func fails(text string) Want { return Want{Err: text} }

// edges returns a Want for edge lists alone.
func edges(w Want) *Want { return &w }

const header = "account,target\n"

// Files returns all files.
func Files() []File {
	const bom = "\ufeff"
	thousand := header + strings.Repeat("a,b\n", 10) + "c,\"d\n" + strings.Repeat("e,f\n", 988)
	return []File{
		// Quotes.
		{Name: "quotes", Text: header + "\"a\",\"x\"\"y\"\n", Want: rows(`a>x"y`)},
		{Name: "a quote that is never closed", Text: thousand, Want: rows("a>b e>f", 12)},
		{Name: "one that is, by the next", Text: header + "a,\"b\n\"c\",\"d\"\ne,f\n", Want: rows("c>d e>f", 2)},
		{Name: "one in the last line", Text: header + "a,b\nc,\"d", Want: rows("a>b", 3)},
		{Name: "one whose lines may be its text", Text: header + "a,\"b\nno row\ne,f\n",
			Want: fails("line 2: a quote begins here that is never closed"), Edges: edges(rows("e>f", 2, 3))},
		{Name: "one that breaks the columns", Text: header + "a,b\nc,\"d\ne,f\",g\n",
			Want:  fails("line 3: a quote begins here that goes on to line 4: got 3 values, want 2"),
			Edges: edges(rows("a>b", 3, 4))},
		{Name: "one after a value of several lines", Text: header + "a,\"b\nb\"\nc,\"d\ne,f\n",
			Want: fails("line 4: a quote begins here that is never closed"), Edges: edges(rows("e>f", 2, 3, 4))},
		{Name: "one before a value of several lines", Text: header + "a,\"b\nc,\"d\"\ne,\"f\nf\"\n",
			Want: fails(
				"line 2: a quote begins here that is not closed in its line, and other values go on over lines"),
			Edges: edges(rows("c>d", 2, 4, 5))},
		{Name: "one in the header", Text: "account,\"target\na,b\n", Want: fails("line 1: a quote begins here"),
			Edges: edges(rows("a>b", 1))},
		{Name: "a quote within a value", Text: header + "a,5\" pipe\nb,c\n", Want: rows("b>c", 2)},
		{Name: "text behind a quote", Text: header + "a,\"b\"c\nd,e\n", Want: rows("d>e", 2)},
		{Name: "line ends in quotes", Text: header + "a,\"b\r\nc\"\nd,e\n",
			Want: Want{Rows: []string{"a>b\r\nc", "d>e"}}, Edges: edges(rows("d>e", 2, 3))},
		{Name: "blanks", Text: header + " a ,\" b \"\n\t\"c\",  d\n", Want: Want{Rows: []string{"a> b ", "c>d"}}},

		// Encodings.
		{Name: "byte order mark", Text: bom + header + "a,b\n", Want: rows("a>b")},
		{Name: "byte order mark and quotes", Text: bom + "\"account\",\"target\"\na,b\n", Want: rows("a>b")},
		{Name: "byte order mark in gzip", Text: gzipped(bom + header + "a,b\n"), Want: rows("a>b")},
		{Name: "objects with a byte order mark", NDJSON: true, Text: bom + `{"account":"a","target":"b"}` + "\n",
			Want: rows("a>b")},
		{Name: "UTF-16", Text: wide(binary.LittleEndian, bom+header+"a,b\n"),
			Want: fails("in UTF-16; convert it first: iconv")},
		{Name: "UTF-16, big endian", Text: wide(binary.BigEndian, bom+header+"a,b\n"), Want: fails("in UTF-16")},
		{Name: "UTF-16 without a mark", Text: wide(binary.LittleEndian, header+"a,b\n"),
			Want: fails("iconv -f utf-16le")},
		{Name: "Latin-1", Text: header + "a,b\nc,\xe9\n", Want: rows("a>b", 3)},
		{Name: "zero bytes", Text: header + "a,b\nc,\x00\n", Want: rows("a>b", 3)},

		// Compression, by content.
		{Name: "gzip in parts", Text: gzipped(header+"a,b\nc") + gzipped(",d\n"), Want: rows("a>b c>d")},
		{Name: "gzip cut short", Text: cut(gzipped(header + "a,b\n")),
			Want: fails("the gzip data is damaged or cut short: unexpected EOF")},
		{Name: "gzip cut in its head", Text: "\x1f\x8b",
			Want: fails("the gzip data is damaged or cut short: unexpected EOF")},
		{Name: "gzip damaged", Text: damaged(gzipped(header + "a,b\n")),
			Want: fails("the gzip data is damaged or cut short")},
		{Name: "zstd", Text: zstandard(header + "a,b\n"), Want: rows("a>b")},
		{Name: "zstd in parts", Text: zstandard(header+"a,b\nc") + zstandard(",d\n"), Want: rows("a>b c>d")},
		{Name: "zstd cut short", Text: cut(zstandard(header + "a,b\n")),
			Want: fails("the zstd data is damaged or cut short")},
		{Name: "bzip2", Text: bzip2, Want: rows("a>b")},
		{Name: "bzip2 cut short", Text: cut(bzip2), Want: fails("the bzip2 data is damaged or cut short")},
		{Name: "compressed twice", Text: gzipped(gzipped(header)), Want: fails("compressed twice")},
		{Name: "xz", Text: "\xfd7zXZ\x00\x00\x04", Want: fails("compressed with xz; decompress it first: xz -dc")},
		{Name: "snappy", Text: "\xff\x06\x00\x00sNaPpY", Want: fails("compressed with snappy")},

		// Files of other kinds.
		{Name: "zip", Text: "PK\x03\x04\x14\x00\x00\x00\x08\x00table.csv",
			Want: fails("it is a zip archive; unpack it first")},
		{Name: "xlsx", Text: "PK\x03\x04\x14\x00\x06\x00\x08\x00[Content_Types].xml",
			Want: fails("it is an Excel workbook (xlsx); save it as CSV")},
		{Name: "HTML", Text: "\n<!DOCTYPE HTML>\n<html>", Want: fails("it is an HTML page")},
		{Name: "Parquet", Text: "PAR1\x15\x04\x15\x10", Want: fails("it is a Parquet file")},
		{Name: "a JSON array", Text: "[\n {\"account\":\"a\",\"target\":\"b\"}\n]\n",
			Want: fails("it is a JSON array; write one object a line: jq -c '.[]'")},
		{Name: "a JSON array of objects", NDJSON: true, Text: `[{"account":"a","target":"b"}]`,
			Want: fails("it is a JSON array")},

		// Separators.
		{Name: "semicolons", Text: "account;target\na;\"b;c\"\nd;e,f\n", Want: rows("a>b;c d>e,f")},
		{Name: "semicolons and names in quotes", Text: "\"account\";\"target\"\na;b\n", Want: rows("a>b")},
		{Name: "tabs", Text: "account\ttarget\na\tb,c\n", Want: rows("a>b,c")},
		{Name: "pipes", Text: "account|target\na|b\n", Want: rows("a>b")},

		// Lines.
		{Name: "CRLF", Text: "account,target\r\na,b\r\nc,d", Want: rows("a>b c>d")},
		{Name: "CR", Text: "account,target\ra,b\rc,d\r", Want: rows("a>b c>d")},
		{Name: "CR, the last line without", Text: "account,target\ra,b\rc,d", Want: rows("a>b c>d")},
		{Name: "empty lines", Text: "\n" + header + "\n\r\na,b\n\n", Want: rows("a>b")},
		{Name: "a header alone", Text: header, Want: rows("")},
		{Name: "values that are missing", Text: header + "a,b\nc\nd,e,f\n", Want: rows("a>b", 3, 4)},

		// JSON.
		{Name: "objects", NDJSON: true, Text: "{\"account\":\"a\",\"target\":\"b\"}\r\n\n " +
			"{\"x\":[{\"a\":\"}\"},-1e5],\"target\":\"\\u00e9\\\"\",\"account\":9007199254740993}\n",
			Want: rows(`a>b 9007199254740993>é"`)},
		{Name: "objects that are none", NDJSON: true, Text: lines(`{"account":"a","target":"b"}`, `[1]`, `5`, `null`,
			`{"account":"a"} x`, `{"account":"a","target":"b"`), Want: rows("a>b", 2, 3, 4, 5, 6)},
		{Name: "a member twice", NDJSON: true, Text: lines(`{"account":"a","target":"b"}`,
			`{"account":"a","target":"c","\u0061ccount":"a"}`, `{"x":1,"account":"a","target":"c","x":1}`),
			Want: rows("a>b", 2, 3)},
		{Name: "broken characters", NDJSON: true, Text: lines(`{"account":"a","target":"\ud83d\ude00"}`,
			`{"account":"a","target":"\ud800"}`, "{\"account\":\"a\",\"target\":\"\xff\"}",
			`{"account":"a","target":"c","x":"\udc00"}`), Want: rows("a>\U0001f600", 2, 3, 4)},
		{Name: "deep objects", NDJSON: true, Text: lines(`{"account":"a","target":"b","x":`+strings.Repeat("[",
			9000)+strings.Repeat("]", 9000)+`}`, `{"account":"a","target":"c","x":`+strings.Repeat("[",
			100_000)+strings.Repeat("]", 100_000)+`}`), Want: rows("a>b", 2), Edges: edges(rows("a>b", 2))},
		{Name: "an object over lines", NDJSON: true, Text: "{\n  \"account\": \"a\",\n  \"target\": \"b\"\n}\n",
			Want:  fails("JSON whose first object does not end in its line; write one object a line: jq -c ."),
			Edges: edges(rows("", 1, 2, 3, 4))},
	}
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// gzipped returns what gzip makes of a text.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a buffer takes all
	_ = w.Close()
	return b.String()
}

// zstandard returns what zstd makes of a text.
func zstandard(text string) string {
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails for options only
	return string(w.EncodeAll([]byte(text), nil))
}

// bzip2 is the header and a row, a>b.
var bzip2 = func() string {
	text, _ := base64.StdEncoding.DecodeString(
		"QlpoOTFBWSZTWZTAEtoAAALRgAAQAAQ6gZYAIAAimZA0EDQNBEuPMRFLQcVbwu5IpwoSEpgCW0A=")
	return string(text)
}()

// cut returns data without its last bytes.
func cut(data string) string { return data[:len(data)-9] }

// damaged returns gzip data with a wrong checksum.
func damaged(data string) string {
	b := []byte(data)
	b[len(b)-6] ^= 1
	return string(b)
}

// wide returns a text in UTF-16.
func wide(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}
