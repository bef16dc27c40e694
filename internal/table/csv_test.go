// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/uproar-db/uproar/internal/table"
)

// TestSeparators: the header says what separates values, unless it has several that may, or a name
// is given.
func TestSeparators(t *testing.T) {
	for _, c := range []struct {
		text      string
		separator table.Separator
		want, err string
	}{
		{"a;b\n1;2\n", table.Detect, "1>2", ""},
		{"\"a,x\";b\n1;2\n", table.Detect, "", `no column "a", want it in ["a,x" "b"]`},
		{"b;\"x,y\";a\n1;2;3\n", table.Detect, "3>1", ""},
		{"a;b,c\n1;2\n", table.Detect, "", "columns were separated by comma: if that is wrong, name the separator"},
		{"a;b,c;\"b\"\n1;2;3\n", table.Semicolon, "1>3", ""},
		{"a,x;b\n1;2\n", table.Comma, "", "no column"},
		{"sep=;\na,x;a;b\n1;2;3\n", table.Detect, "2>3", ""},
		{"\ufeffSEP=|\r\na|b\r\n1|2\r\n", table.Detect, "1>2", ""},
		{"sep=;\na,b\n1,2\n", table.Comma, "1>2", ""},
		{"a\tb\n1\t 2 \n\t3\n", table.Detect, "1>2 >3", ""},
		{"a b\n1 2\n", table.Detect, "", "separated by comma"},
		{"a,b,a\n1,2,3\n", table.Detect, "", `got the column "a" more than once, want it once: rename the others`},
		{"a,b,c,c\n1,2,3,4\n", table.Detect, "1>2", ""},
		{"a:b\n1:2\n", ':', "", "got separator ':', want comma, semicolon, tab, pipe or none"},
		{"", table.Detect, "", "got an empty table"},
		{"\n\r\n", table.Detect, "", "got an empty table"},
		{"{\"a\": 1, \"b\": 2}\n", table.Detect, "", "it is JSON"},
	} {
		rows, bad, err := read(strings.NewReader(c.text), false, c.separator, "a", "b")
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: got %v, want an error with %q", c.text, err, c.err)
		case c.err == "" && (err != nil || len(bad) > 0 || strings.Join(rows, " ") != c.want):
			t.Errorf("%q: got %q, bad lines %d, %v, want %q", c.text, rows, bad, err, c.want)
		}
	}
	for _, name := range []string{"comma", "semicolon", "tab", "pipe", "detect"} {
		if s, err := table.ParseSeparator(name); err != nil || s.String() != name {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
	}
	if _, err := table.ParseSeparator("colon"); err == nil {
		t.Error("colon: got no error")
	}
}

// TestOneQuote: with one quote too many or too few, the table is an error, or every other row is
// read as it was.
func TestOneQuote(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	failed := 0
	tables := 20_000
	if testing.Short() {
		tables = 3000
	}
	for range tables {
		rows, text := randomTable(rng)
		damaged, at := text, 0
		if quotes := strings.Count(text, `"`); quotes > 0 && rng.IntN(2) == 0 {
			for n := rng.IntN(quotes); ; at++ {
				at += strings.IndexByte(text[at:], '"')
				if n--; n < 0 {
					break
				}
			}
			damaged = text[:at] + text[at+1:]
		} else {
			at = 4 + rng.IntN(len(text)-4) // behind the header
			damaged = text[:at] + `"` + text[at:]
		}
		got, bad, err := readAll(damaged)
		if err != nil {
			if !errors.As(err, new(*table.QuoteError)) {
				t.Fatalf("seed %d: %q: got %v, want a *QuoteError", seed, damaged, err)
			}
			failed++
			continue
		}
		missing, strange := 0, 0
		for _, row := range rows {
			if !slices.Contains(got, row) {
				missing++
			}
		}
		for _, row := range got {
			if !slices.Contains(rows, row) {
				strange++
			}
		}
		if missing > 1 || strange > missing || missing > strange && len(bad) == 0 {
			t.Fatalf("seed %d: quote at byte %d of %q: got %q and bad lines %d, want all of %q but one, or an error",
				seed, at, damaged, got, bad, rows)
		}
	}
	if failed > tables/2 {
		t.Errorf("seed %d: %d of %d tables failed, want most of them read", seed, failed, tables)
	}
}

// TestTwoQuotes: two quotes too many never make one value of the rows between them without a word.
func TestTwoQuotes(t *testing.T) {
	rows := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("%d,x%d\n", i, i)
		}
		return text
	}
	for _, c := range []struct {
		text string
		rows int
		err  string // "": none
	}{
		{"a,b\n1,\"x\n" + rows(9) + "2,y\"\n3,z\n", 0, "line 2: a quote begins here that goes on to line 12"},
		{"a,b\n\"1,x\n" + rows(9) + "2\",y\n3,z\n", 0, "line 2: a quote begins here that goes on to line 12"},
		{"a,b\n" + rows(5) + "1,\"x\n\n" + rows(3) + "\n2,y\"\n", 5,
			"line 7: a quote begins here that goes on to line 13"},
		{"a,b,c,d,e\n1,2,3,4,\"5\n6,7,8,9,0\"", 0, "line 2: a quote begins here that goes on to line 3"},
		{"c,a,d,b\n1,2,\"3,4\n5,6,7,8\n9,10,11\",12\n", 0, "line 2: a quote begins here that goes on to line 4"},
		{"a,b,c\n1,Bob,\"12 Main St\nSpringfield, IL, 62701\"\n", 1, ""},
		{"a,b\n1,\"x\ny\"\n2,\"x\n" + rows(9) + "2,y\"\n", 2, ""}, // values go on over lines in this table
		{"a,b\n1,\"x\n" + rows(9) + "2\"\n", 1, ""},
		{"a,b\n1,\"x,\n" + rows(9) + "2,y\"\n", 1, ""},
		{"a,b\n1,\"x\n\xff\"\n2,\"x\n3,y\n", 0, "line 4: a quote begins here"},
	} {
		got, _, err := readAll(c.text)
		if len(got) != c.rows || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: got %d rows, %v, want %d, %q", c.text, len(got), err, c.rows, c.err)
		}
	}
}

// readAll returns the rows of a table with the columns a and b.
func readAll(text string) (rows [][2]string, bad []int64, err error) {
	c, err := table.NewCSV(strings.NewReader(text), table.Comma)
	if err == nil {
		err = c.Select("a", "b")
	}
	for err == nil {
		var row *table.Row
		row, err = c.Next()
		if line := (*table.LineError)(nil); errors.As(err, &line) {
			bad, err = append(bad, line.Line), nil
		} else if err == nil {
			rows = append(rows, [2]string{row.Cells[0][0], row.Cells[1][0]})
		}
	}
	if err == io.EOF {
		err = nil
	}
	return rows, bad, err
}

// randomTable returns a table and its rows. Values neither begin nor end with what stands between
// them: with a quote too many, such a table may be another one that is as good.
func randomTable(rng *rand.Rand) (rows [][2]string, text string) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"a", "b"})
	alphabet := []string{"a", "b", "c", "\"", ",", " "}
	if rng.IntN(4) == 0 { // values over lines; none of these is a row by itself
		alphabet = []string{"a", "b", "\"", "\n", " "}
	}
	for i := range 1 + rng.IntN(6) {
		value := func() string {
			v := "v"
			for range rng.IntN(4) {
				v += alphabet[rng.IntN(len(alphabet))]
			}
			return v + "w"
		}
		row := [2]string{fmt.Sprint(i, value()), value()}
		if rng.IntN(3) == 0 {
			row[1] = fmt.Sprint(i)
		}
		rows = append(rows, row)
		_ = w.Write(row[:]) // a builder takes all
	}
	w.Flush()
	return rows, b.String()
}

// FuzzCSV: whatever bytes come, reading ends, bad lines come in their order, and a table that
// encoding/csv reads without an error is read alike.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "a,b\n\"1\",\"2\n3\"\n", "a,b\n1,\"2\n3,4\n", "a;b\r\n1;2", "a\rb\rc",
		"sep=;\na;b", "\"a\"\"\",\"b\"\n", "a,b\n\"1\"x,\"2\n", " \"a\" ,b\n", "a,b\n1,\"x\n2,3\n2,3\n2,3\n4,y\"\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := table.NewCSV(strings.NewReader(text), table.Comma)
		if err != nil {
			return
		}
		var rows [][]string
		var line int64
		bad := 0
		if c.Select(c.Header()...) != nil {
			return // a name twice
		}
		for {
			row, err := c.Next()
			if err == io.EOF {
				break
			}
			if lineError := (*table.LineError)(nil); errors.As(err, &lineError) {
				if lineError.Line <= line {
					t.Fatalf("got line %d after %d", lineError.Line, line)
				}
				line = lineError.Line
				bad++
				continue
			}
			if err != nil {
				if !errors.As(err, new(*table.QuoteError)) {
					t.Fatalf("got %v, want a *QuoteError", err)
				}
				if strings.Contains(err.Error(), "each line of it would be a row") {
					return // encoding/csv makes one value of them
				}
				bad++
				break
			}
			if row.Line <= line {
				t.Fatalf("got line %d after %d", row.Line, line)
			}
			line = row.Line
			var fields []string
			for _, cell := range row.Cells {
				fields = append(fields, strings.TrimSpace(cell[0]))
			}
			rows = append(rows, fields)
		}
		if strings.ContainsAny(text, "\r\x00") || !utf8.ValidString(text) || strings.HasPrefix(text, "\ufeff") ||
			strings.HasPrefix(strings.ToLower(text), "sep=") {
			return
		}
		r := csv.NewReader(strings.NewReader(text))
		r.TrimLeadingSpace = true
		want, err := r.ReadAll()
		if err != nil {
			return
		}
		for _, fields := range want {
			for i := range fields {
				fields[i] = strings.TrimSpace(fields[i])
			}
		}
		if bad > 0 || !slices.EqualFunc(rows, want[1:], slices.Equal[[]string]) {
			t.Fatalf("%q: got %q and %d bad lines, want %q", text, rows, bad, want[1:])
		}
	})
}

// BenchmarkCSV measures reading a row of eight values when three are wanted.
func BenchmarkCSV(b *testing.B) {
	const rows = 10_000
	for _, form := range []struct{ name, line string }{
		{"plain", "1234567,Ann Smith,ann@example.org,Oslo,1984-02-29,165.5,tea|cake,some more text\n"},
		{"quoted",
			"\"1234567\",\"Ann Smith\",\"ann@example.org\",\"Oslo\",\"1984-02-29\",\"165.5\",\"tea|cake\",\"some " +
				"\"\"more\"\" text\"\n"},
	} {
		text := "a,b,c,d,e,f,g,h\n" + strings.Repeat(form.line, rows)
		b.Run("reader=table/form="+form.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c, err := table.NewCSV(strings.NewReader(text), table.Detect)
				if err == nil {
					err = c.Select("a", "d", "g")
				}
				for err == nil {
					_, err = c.Next()
				}
			}
		})
		b.Run("reader=csv/form="+form.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c := csv.NewReader(strings.NewReader(text))
				c.ReuseRecord, c.TrimLeadingSpace = true, true
				for {
					if _, err := c.Read(); err != nil {
						break
					}
				}
			}
		})
	}
}
