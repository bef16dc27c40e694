// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// sampleBytes is how much of a text [Begin] looks at, if its reader buffers as much.
const sampleBytes = 64 << 10

// byteOrderMark is what some programs begin UTF-8 with.
const byteOrderMark = "\ufeff"

// Begin looks at the first bytes of a decompressed text. It skips a byte order mark, and returns
// the byte that ends lines: '\n', before which a '\r' may stand, or '\r' alone. It waits until the
// buffer of in is full, or the text ends. Errors: a [*FormatError] for what is no text in UTF-8, or
// in's.
func Begin(in *bufio.Reader) (end byte, err error) {
	sample, err := in.Peek(min(in.Size(), sampleBytes))
	if err != nil && err != io.EOF && len(sample) == 0 {
		return 0, err
	}
	if err := recognize(sample); err != nil {
		return 0, err
	}
	if bytes.HasPrefix(sample, []byte(byteOrderMark)) {
		sample = sample[len(byteOrderMark):]
		_, _ = in.Discard(len(byteOrderMark)) // which are buffered
	}
	return lineEnd(sample), nil
}

// lineEnd returns the byte that ends the lines of a sample. A '\r' does if no '\n' does, outside of
// quotes: spreadsheets for the Mac end rows with '\r', and lines within a value with '\n'.
func lineEnd(sample []byte) byte {
	quoted, alone := false, false
	for i, c := range sample {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return '\n'
		case c == '\r' && i+1 < len(sample) && sample[i+1] != '\n':
			alone = true
		}
	}
	if alone || bytes.HasSuffix(sample, []byte("\r")) && !bytes.Contains(sample, []byte("\n")) {
		return '\r'
	}
	return '\n'
}

// trimEnd returns a line without the bytes that end it.
func trimEnd(line []byte, end byte) []byte {
	if n := len(line); n > 0 && line[n-1] == end {
		line = line[:n-1]
	}
	if n := len(line); end == '\n' && n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

const (
	asCSV    = "save it as CSV in UTF-8"
	asPlain  = "decompress it first: "
	asObject = "write one object a line: jq -c '.[]'"
)

// asUTF8 says how to convert a text.
func asUTF8(from string) string { return "convert it first: iconv -f " + from + " -t utf-8" }

// foreign are the first bytes, ? for any, of files that are often taken for a table.
var foreign = []struct{ magic, is, try string }{
	{"PK\x03\x04", "a zip archive", "unpack it first: unzip -p"},
	{"PK\x05\x06", "an empty zip archive", "give the file that was to be in it"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook (xls)", asCSV},
	{"\x1f\x8b", "compressed twice", "decompress it once: gzip -dc"},
	{"\x28\xb5\x2f\xfd", "compressed twice", "decompress it once: zstd -dc"},
	{"BZh?1AY&SY", "compressed twice", "decompress it once: bzip2 -dc"},
	{"\xfd7zXZ\x00", "compressed with xz", asPlain + "xz -dc"},
	{"\xff\x06\x00\x00sNaPpY", "compressed with snappy", asPlain + "snzip -dc"},
	{"\x04\x22\x4d\x18", "compressed with lz4", asPlain + "lz4 -dc"},
	{"LZIP\x01", "compressed with lzip", asPlain + "lzip -dc"},
	{"\x1f\x9d", "compressed with compress", asPlain + "uncompress -c"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"},
	{"Rar!\x1a\x07", "a rar archive", "unpack it first"},
	{"%PDF-", "a PDF document", "give the table that it was made of"},
	{"SQLite format 3\x00", "an SQLite database", "write a table of it as CSV: sqlite3 -header -csv"},
	{"Obj\x01", "an Avro file", "convert it to Parquet or CSV"},
	{"ARROW1\x00\x00", "an Arrow file", "convert it to Parquet or CSV"},
	{"FEA1\x00\x00\x00\x00", "a Feather file", "convert it to Parquet or CSV"},
	{"PAR1\x15", "a Parquet file", "read it with the format parquet, where there is one, or convert it to CSV"},
	{"\xff\xfe\x00\x00", "in UTF-32", asUTF8("utf-32")},
	{"\x00\x00\xfe\xff", "in UTF-32", asUTF8("utf-32")},
	{"\xff\xfe", "in UTF-16", asUTF8("utf-16")},
	{"\xfe\xff", "in UTF-16", asUTF8("utf-16")},
}

// recognize fails for a sample that is not the beginning of a table, and says what it is.
func recognize(sample []byte) error {
	for _, f := range foreign {
		if !hasMagic(sample, f.magic) {
			continue
		}
		has := func(name string) bool { return bytes.Contains(sample, []byte(name)) }
		switch zip := f.magic == "PK\x03\x04"; {
		case zip && (has("[Content_Types].xml") || has("xl/")):
			return &FormatError{"an Excel workbook (xlsx)", asCSV}
		case zip && has("application/vnd.oasis.opendocument"):
			return &FormatError{"an OpenDocument spreadsheet", asCSV}
		}
		return &FormatError{f.is, f.try}
	}
	if order := wide(sample); order != "" {
		return &FormatError{"in UTF-16", asUTF8(order)}
	}
	if len(sample) > 262 && string(sample[257:262]) == "ustar" {
		return &FormatError{"a tar archive", "unpack it first: tar -xO"}
	}
	return markup(bytes.TrimLeft(bytes.TrimPrefix(sample, []byte(byteOrderMark)), " \t\r\n"))
}

// markup fails for a text that is a document of another kind.
func markup(text []byte) error {
	begins := func(prefix string) bool {
		return len(text) >= len(prefix) && strings.EqualFold(string(text[:len(prefix)]), prefix)
	}
	switch {
	case begins("<!doctype html"), begins("<html"):
		return &FormatError{"an HTML page", "look whether the address that it came from gave an error"}
	case begins("<?xml"):
		return &FormatError{"an XML document", "convert it to CSV or NDJSON"}
	case begins("{\\rtf"):
		return &FormatError{"a document (RTF)", asCSV}
	case begins("[") && bytes.HasPrefix(bytes.TrimLeft(text[1:], " \t\r\n"), []byte("{")):
		return &FormatError{"a JSON array", asObject}
	}
	return nil
}

// wide returns the name of a sample's form of UTF-16 without a byte order mark, or "". In separated
// values every other byte is zero, or nearly.
func wide(sample []byte) string {
	sample = sample[:min(len(sample), 256)&^1]
	var zeros [2]int
	for i, c := range sample {
		if c == 0 {
			zeros[i&1]++
		}
	}
	pairs := len(sample) / 2
	switch {
	case pairs < 2:
	case zeros[0] == 0 && zeros[1] > pairs*3/4:
		return "utf-16le"
	case zeros[1] == 0 && zeros[0] > pairs*3/4:
		return "utf-16be"
	}
	return ""
}
