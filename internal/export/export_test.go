// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	"github.com/uproar-db/uproar/internal/value"
)

var columns = []Column{{Name: "key"}, {Name: "tags", Kind: Texts}, {Name: "age", Kind: Integer},
	{Name: "price", Kind: Decimal, Scale: 2}, {Name: "born", Kind: Date}, {Name: "At", Kind: Time},
	{Name: "count", Kind: Unsigned}, {Name: "score", Kind: Float}}

var rows = [][]Cell{
	{{Text: "alice"}, {Texts: []string{"a", "b,c"}}, {Integer: math.MinInt64}, {Integer: -5}, {Integer: -1},
		{Integer: 1_700_000_000}, {Integer: -1}, {Float: -0.1}},
	{{Text: "\"bob\"\n,"}, {Texts: []string{}}, {Integer: math.MaxInt64}, {Integer: math.MaxInt64}, {Integer: 0},
		{Integer: -62167219200}, {Integer: 1}, {Float: 1e300}},
	{{Text: ""}, {Null: true}, {Null: true}, {Null: true}, {Null: true}, {Null: true}, {Null: true},
		{Null: true}},
	{{Text: "Zürich 🎈"}, {Texts: []string{""}}, {Integer: 0}, {Integer: math.MinInt64}, {Integer: 2932896},
		{Integer: 253402300799}, {Integer: 0}, {Float: 0}},
}

// written returns rows in a format.
func written(t testing.TB, format Format, columns []Column, rows [][]Cell) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, format, columns)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// texts returns rows as the texts that CSV has.
func texts(columns []Column, rows [][]Cell) (out [][]string) {
	for _, row := range rows {
		var line []string
		for i, c := range columns {
			switch cell := row[i]; {
			case cell.Null:
				line = append(line, "")
			case c.Kind == Text:
				line = append(line, cell.Text)
			case c.Kind == Texts:
				list, _ := json.Marshal(cell.Texts)
				line = append(line, string(list))
			default:
				line = append(line, string(appendNumber(nil, c, cell)))
			}
		}
		out = append(out, line)
	}
	return out
}

func TestTexts(t *testing.T) {
	const header = "key,tags,age,price,born,At,count,score\n"
	const line = "alice,\"a|b,c\",-9223372036854775808,-0.05,1969-12-31,2023-11-14T22:13:20Z," +
		"18446744073709551615,-0.1\n"
	if got := string(written(t, CSV, columns, rows[:1])); got != header+line {
		t.Errorf("csv: got\n%s\nwant\n%s", got, header+line)
	}
	want := strings.ReplaceAll(header, ",", "\t") +
		"alice\ta|b,c\t-9223372036854775808\t-0.05\t1969-12-31\t2023-11-14T22:13:20Z\t18446744073709551615\t-0.1\n"
	if got := string(written(t, TSV, columns, rows[:1])); got != want {
		t.Errorf("tsv: got\n%s\nwant\n%s", got, want)
	}
	if got := string(written(t, CSV, columns, nil)); got != header {
		t.Errorf("csv without rows: got %q, want %q", got, header)
	}
	read, err := csv.NewReader(bytes.NewReader(written(t, CSV, columns, rows))).ReadAll()
	if err != nil || len(read) != 1+len(rows) || read[2][0] != rows[1][0].Text || read[2][1] != "" || read[3][2] != "" {
		t.Errorf("csv: got %q, %v", read, err)
	}
}

// TestQuotes: texts of every kind are written as the standard library writes them, but for those
// that end with a blank, which importers of tables leave out without quotes.
func TestQuotes(t *testing.T) {
	parts := []string{"", "a", " ", "\t", "\n", "\r", ",", "\"", "\\", ".", "|", "é", "\u00a0", "\u2028", "\xff",
		"\xc2"}
	rng := rand.New(rand.NewPCG(3, 4))
	for format, comma := range map[Format]rune{CSV: ',', TSV: '\t'} {
		quoted := func(text string) string {
			if strings.TrimRightFunc(text, unicode.IsSpace) != text {
				return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			var b strings.Builder
			w := csv.NewWriter(&b)
			w.Comma = comma
			_ = w.Write([]string{text, ""})
			w.Flush()
			return strings.TrimSuffix(b.String(), string(comma)+"\n")
		}
		header := []Column{{Name: " a,"}, {Name: "b\t", Kind: Texts}}
		var want strings.Builder
		want.WriteString(quoted(header[0].Name) + string(comma) + quoted(header[1].Name) + "\n")
		var rows [][]Cell
		for n := range 20_000 {
			text := func() (s string) {
				for range rng.IntN(4) {
					s += parts[rng.IntN(len(parts))]
				}
				return s
			}
			row := []Cell{{Text: text()}, {Texts: []string{text(), text()}[:rng.IntN(3)]}}
			if n == 0 {
				row[0].Text = `\.`
			}
			rows = append(rows, row)
			list := string(value.AppendList(nil, row[1].Texts))
			want.WriteString(quoted(row[0].Text) + string(comma) + quoted(list) + "\n")
		}
		got, lines := strings.SplitAfter(string(written(t, format, header, rows)), "\n"),
			strings.SplitAfter(want.String(), "\n")
		for i, line := range lines {
			if i >= len(got) || got[i] != line {
				t.Fatalf("%s, line %d: got %q, want %q", format, i, got[min(i, len(got)-1)], line)
			}
		}
	}
}

// readArrow returns what a stream of Arrow has, as the texts that CSV has.
func readArrow(t *testing.T, b []byte) (out [][]string) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			var line []string
			for k, c := range columns {
				line = append(line, arrowText(batch.Column(k), c, i))
			}
			out = append(out, line)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func arrowText(of arrow.Array, c Column, i int) string {
	if of.IsNull(i) {
		return ""
	}
	cell := Cell{}
	switch of := of.(type) {
	case *array.String:
		return of.Value(i)
	case *array.List:
		texts := []string{}
		from, to := of.ValueOffsets(i)
		for k := from; k < to; k++ {
			texts = append(texts, of.ListValues().(*array.String).Value(int(k)))
		}
		list, _ := json.Marshal(texts)
		return string(list)
	case *array.Int64:
		cell.Integer = of.Value(i)
	case *array.Decimal128:
		cell.Integer = of.Value(i).BigInt().Int64()
	case *array.Date32:
		cell.Integer = int64(of.Value(i))
	case *array.Timestamp:
		cell.Integer = int64(of.Value(i))
	case *array.Uint64:
		cell.Integer = int64(of.Value(i))
	case *array.Float64:
		cell.Float = of.Value(i)
	}
	return string(appendNumber(nil, c, cell))
}

// readParquet returns what a Parquet file has, as the texts that CSV has.
func readParquet(t *testing.T, b []byte) (out [][]string) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, field := range f.Root().Columns() {
		names = append(names, field.Name())
	}
	if got, want := strings.Join(names, " "), "key tags age price born At count score"; got != want {
		t.Errorf("columns: got %s, want %s", got, want)
	}
	for _, group := range f.RowGroups() {
		in := group.Rows()
		row := make([]parquet.Row, 1)
		for {
			n, err := in.ReadRows(row)
			if n == 1 {
				line := make([]string, len(columns))
				lists := map[int][]string{}
				for _, v := range row[0] {
					switch c := columns[v.Column()]; {
					case c.Kind == Texts && v.DefinitionLevel() == 1:
						lists[v.Column()] = []string{}
					case v.IsNull():
					case c.Kind == Texts:
						lists[v.Column()] = append(lists[v.Column()], string(v.ByteArray()))
					default:
						line[v.Column()] = parquetText(c, v)
					}
				}
				for k, list := range lists {
					text, _ := json.Marshal(list)
					line[k] = string(text)
				}
				out = append(out, line)
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		_ = in.Close()
	}
	return out
}

func parquetText(c Column, v parquet.Value) string {
	switch c.Kind {
	case Text:
		return string(v.ByteArray())
	case Decimal:
		b := v.ByteArray()
		x := new(big.Int).SetBytes(b)
		if b[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return string(appendNumber(nil, c, Cell{Integer: x.Int64()}))
	case Date:
		return string(appendNumber(nil, c, Cell{Integer: int64(v.Int32())}))
	case Time:
		return string(appendNumber(nil, c, Cell{Integer: v.Int64() / 1000}))
	case Float:
		return string(appendNumber(nil, c, Cell{Float: v.Double()}))
	}
	return string(appendNumber(nil, c, Cell{Integer: v.Int64()}))
}

// TestColumnar reads back what was written, over the ends of batches and groups.
func TestColumnar(t *testing.T) {
	many := make([][]Cell, 0, 2*groupRows+5)
	rng := rand.New(rand.NewPCG(1, 2))
	for range cap(many) {
		row := make([]Cell, len(columns))
		for i := range row {
			row[i] = rows[rng.IntN(len(rows))][i]
		}
		many = append(many, row)
	}
	for _, of := range [][][]Cell{nil, rows, many} {
		want := fmt.Sprintf("%q", texts(columns, of))
		if got := fmt.Sprintf("%q", readArrow(t, written(t, Arrow, columns, of))); got != want {
			t.Errorf("arrow, %d rows: got %.600s, want %.600s", len(of), got, want)
		}
		if got := fmt.Sprintf("%q", readParquet(t, written(t, Parquet, columns, of))); got != want {
			t.Errorf("parquet, %d rows: got %.600s, want %.600s", len(of), got, want)
		}
	}
}

// TestMemory: memory does not grow with the number of rows.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes half a million rows in each format")
	}
	for _, format := range []Format{CSV, TSV, Parquet, Arrow} {
		w, err := NewWriter(io.Discard, format, columns)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range 500_000 {
			row := rows[i%len(rows)]
			row[0].Text = fmt.Sprint("record ", i)
			if err := w.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
			t.Errorf("%s: holds %d MiB after half a million rows, want at most 32", format, grown>>20)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLargeValues: groups end by their bytes, too, so that memory does not grow with values.
func TestLargeValues(t *testing.T) {
	const records, size, most = 1600, 60_000, 48 << 20
	noise := make([]byte, 2*size)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range noise {
		noise[i] = ' ' + byte(rng.IntN('~'-' '))
	}
	columns := []Column{{Name: "key"}, {Name: "tags", Kind: Texts}}
	for _, format := range []Format{Parquet, Arrow} {
		w, err := NewWriter(io.Discard, format, columns)
		if err != nil {
			t.Fatal(err)
		}
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range records {
			from := i % size
			text := string(noise[from : from+size])
			if err := w.Write([]Cell{{Text: text}, {Texts: []string{text[:size/2], text[size/2:]}}}); err != nil {
				t.Fatal(err)
			}
			if i%400 != 399 {
				continue
			}
			runtime.GC()
			runtime.ReadMemStats(&now)
			grown := int64(now.HeapAlloc) - int64(before.HeapAlloc)
			if grown > most {
				t.Fatalf("%s: holds %d MiB after %d records, want at most %d", format, grown>>20, i, most>>20)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRefused: what a format cannot hold is refused, and nothing is guessed.
func TestRefused(t *testing.T) {
	for _, format := range []Format{Parquet, Arrow} {
		for _, row := range [][]Cell{{{Text: "a\xff"}, {}}, {{Text: "a"}, {Texts: []string{"b", "\xc3"}}}} {
			w, err := NewWriter(io.Discard, format, columns[:2])
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(row); err == nil || !strings.Contains(err.Error(), "want UTF-8") {
				t.Errorf("%s, %+v: got %v, want an error about UTF-8", format, row, err)
			}
		}
	}
	for _, format := range []Format{CSV, TSV, Parquet, Arrow} {
		if _, err := NewWriter(io.Discard, format, []Column{{Name: "a"}, {Name: "a"}}); err == nil {
			t.Errorf("%s: two columns of one name: got no error", format)
		}
	}
	if _, err := NewWriter(io.Discard, "xlsx", columns); err == nil {
		t.Error("xlsx: got no error")
	}
}

func TestMedia(t *testing.T) {
	for _, f := range []Format{CSV, TSV, Parquet, Arrow} {
		if got, ok := OfMedia(f.Media()); got != f || !ok {
			t.Errorf("%s: got %q, %v", f, got, ok)
		}
	}
	if got, ok := OfMedia("application/json"); ok {
		t.Errorf("JSON: got %q", got)
	}
}
