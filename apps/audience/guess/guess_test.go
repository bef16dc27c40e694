// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package guess_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/internal/table"
)

// columnsOf returns the columns of a schema as JSON has them, without their braces.
func columnsOf(s audience.Schema) string {
	var list []string
	for _, c := range s.Columns {
		text := strings.TrimPrefix(strings.Trim(c.JSON(), "{}"), `"name":"`+c.Name+`",`)
		list = append(list, c.Name+" "+strings.TrimPrefix(text, `"type":`))
	}
	return s.Key + ": " + strings.Join(list, "; ")
}

// sampled returns the sample of a text.
func sampled(t *testing.T, format audience.Format, text string) *guess.Sample {
	t.Helper()
	s := new(guess.Sample)
	rest, err := s.Read(strings.NewReader(text), format, table.Detect)
	if err != nil {
		t.Fatalf("%.100q: %v", text, err)
	}
	if again, err := io.ReadAll(rest); err != nil || string(again) != text {
		t.Fatalf("%.100q: got %.100q, %v once it was sampled", text, again, err)
	}
	return s
}

// TestTypes guesses the type of a column of cells that are often taken for another.
func TestTypes(t *testing.T) {
	for cells, want := range map[string]string{
		"1,-2,0":                       `"integer"`,
		"1,,3":                         `"integer"`,
		"00123,00456":                  `"single"`,
		"0,1,2":                        `"integer"`,
		"-0,1":                         `"integer"`,
		"+41791234567,+1555":           `"single"`,
		"9223372036854775807,1":        `"integer"`,
		"9223372036854775808,1":        `"single"`,
		"-9223372036854775808,1":       `"integer"`,
		"99999999999999999999999999,1": `"single"`,
		"1.5,2,-.25":                   `"decimal","scale":2`,
		"39.0,40.0":                    `"decimal","scale":1`,
		"1.5,1e-05":                    `"decimal","scale":5`,
		"12E4,99E1":                    `"single"`,
		"1.2E4,9":                      `"integer"`,
		"5.,6":                         `"single"`,
		"1 000,2 000":                  `"single"`,
		"NaN,1":                        `"single"`,
		"inf,-inf":                     `"single"`,
		"0x10,0x20":                    `"single"`,
		"1.1234567890123456789,2":      `"single"`,
		"12345678901.12345678,1":       `"single"`,
		"1234567890.12345678,1":        `"decimal","scale":8`,
		"0.8444218515250481,0.013182510000000001,0.7579544029403025": `"decimal","scale":16,"round":true`,
		"84.44218515250481,-7.57954402940302501,0.04205715,999.1":    `"single"`, // 18 digits
		"844.4218515250481,-75.95440294030251,0.0042057158,0":        `"decimal","scale":14`,
		"844.4218515250481,-75.95440294030251,0.0042057158001":       `"decimal","scale":14`,
		"844.4218515250481,-75.95440294030251,0.004205715800120001":  `"decimal","scale":14,"round":true`,
		"1000000.5,0.1234567890123456":                               `"decimal","scale":10,"round":true`,
		"1000000.5,0.000000001234567890123456":                       `"single"`, // little of it were kept
		"1e+300,0.5":                                                 `"single"`,
		"2026-01-31,1969-12-31":                                      `"date"`,
		"2026-01-31 00:00:00,2026-02-01":                             `"date"`,
		"2026-02-30,2026-01-01":                                      `"single"`,
		"31.01.2026,01.02.2026":                                      `"single"`,
		"2026-01-31T12:00:00Z":                                       `"time"`,
		"2026-01-31 12:00:00,2026-02-01T00:00:00":                    `"time"`,
		"2026-01-31 12:00:00.5,2026-01-31T12:00:00+01:00":            `"time"`,
		"2026-01-31 12:00:00.5+01:00,":                               `"time"`,
		"2026-01-31T00:00:00Z":                                       `"time"`,
		"2026-01-31T12:00:00,2026-01-31":                             `"single"`,
		"2026-01-31T12:00:00Z,2026-01-31":                            `"single"`,
		"2026,2027":                                                  `"integer"`,
		"true,false,true":                                            `"single"`,
		"a|b,b,c|a":                                                  `"set","split":"|"`,
		"a;b,b;c":                                                    `"set","split":";"`,
		"1|2,3|4":                                                    `"set","split":"|"`,
		"a|b,c":                                                      `"single"`,
		"a||b,c|d":                                                   `"single"`,
		"|a|b,c|d":                                                   `"single"`,
		"a|b,c|d,e,f,g,h,i,j,k,l":                                    `"single"`,
		",,":                                                         `"single"`,
		"x; " + strings.Repeat("y", 70) + ",a;b":                     `"single"`,
		"Zürich,東京":                                                  `"single"`,
		"192.168.1.1,10.0.0.1":                                       `"single"`,
		"1.10.2,1.9.1":                                               `"single"`,
	} {
		text := "n,v\n"
		for i, cell := range strings.Split(cells, ",") {
			text += fmt.Sprintf("k%d,%s\n", i, cell)
		}
		schema, _, err := sampled(t, audience.CSV, text).Schema("n")
		if got := columnsOf(schema); err != nil || got != "n: v "+want {
			t.Errorf("%s: got %s, %v, want %s", cells, got, err, want)
		}
	}
}

// TestTables guesses all of a table: its key, its columns in their order, and what is said.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name   string
		format audience.Format
		text   string
		key    string
		want   string
		notes  string // parts of them, "|" between
	}{
		{"named key", audience.CSV, "name,ID,age\nb,1,3\nb,2,3\n", "", `ID: name "single"; age "integer"`, ""},
		{"named key twice", audience.CSV, "id,mail\n1,a\n1,b\n", "", `mail: id "integer"`,
			"\"mail\" is taken for the key: it has another value in each of 2 rows"},
		{"ages that differ by chance", audience.CSV, "name,age,city\na,30,x\na,25,x\nb,40,y\n", "",
			`: name "single"; age "integer"; city "single"`, "records are numbered"},
		{"times without a zone", audience.CSV, "id,seen\n1,2026-01-31 12:00:00\n2,2026-01-31T12:00:00Z\n", "",
			`id: seen "time"`, "1 of 2 distinct times have no zone, such as \"2026-01-31 12:00:00\" (line 2)|for UTC"},
		{"numbers of persons", audience.CSV, "name,person_id\na,30\na,25\n", "", `person_id: name "single"`, ""},
		{"key that is given", audience.CSV, "id,mail\n1,a\n1,b\n", "id", `id: mail "single"`, ""},
		{"no key", audience.CSV, "a,b\n1,x\n1,x\n", "", `: a "integer"; b "single"`, "records are numbered"},
		{"distinct decimals", audience.CSV, "a,b,c\n1.5,x,q\n2.5,x,r\n", "",
			`c: a "decimal","scale":1; b "single"`, "\"c\" is taken for the key"},
		{"a key that is not always there", audience.CSV, "id,b\n1,x\n,y\n", "", `b: id "integer"`,
			"\"b\" is taken for the key"},
		{"only a header", audience.TSV, "x\tid\n", "", `id: x "single"`, "column \"x\" has no value in 0 rows"},
		{"semicolons", audience.CSV, "id;likes\n1;a|b\n2;b|c\n", "", `id: likes "set","split":"|"`, ""},
		{"names of fields", audience.CSV, "id,home city,home_city,2nd,saved,größe\n1,a,b,c,d,e\n", "",
			`id: home city "single"; home_city "field":"home_city_2","type":"single"; ` +
				`2nd "field":"f_2nd","type":"single"; saved "single"; größe "single"`, ""},
		{"a column called key", audience.CSV, "id,key,n\n1,a,5\n", "", `id: key "field":"key_2","type":"single"; n "integer"`, ""},
		{"columns that cannot be", audience.CSV, "id,,a,a,b\n1,x,y,z,w\n", "", `id: b "single"`,
			"without a name|\"a\" is there more than once"},
		{"floats", audience.CSV, "id,n\n1,0.1234567890123456\n2,12345.5\n", "",
			`id: n "decimal","scale":12,"round":true`, "rounded to 12 digits behind the point"},
		{"malformed lines", audience.CSV, "id,n\n1,2\nonly\n3,4\n", "", `id: n "integer"`, ""},
		{"objects", audience.NDJSON, `{"id": 1, "n": 3, "zip": "0042", "seen": "2026-01-31T12:00:00Z", "ok": true}
{"id": 2, "likes": ["a"], "n": 4.25, "zip": "12", "at": {"x": 1}, "deep": [[1]], "e": 1e2}
{"id": 3, "likes": null, "n": null, "mixed": 1, "tags": []}
{"id": 4, "mixed": "1"}
`, "", `id: n "decimal","scale":2; zip "single"; seen "time"; ok "single"; likes "set"; e "integer"; mixed "single"; ` +
			`tags "set"`, "\"at\" has objects|\"deep\" has arrays of arrays"},
		{"misfit", audience.CSV, "id,n\n1,5\n2,6\n3,7\n4,NULL\n", "", `id: n "single"`,
			`3 of 4 distinct values are integers, but not "NULL" (line 5)`},
	} {
		schema, notes, err := sampled(t, c.format, c.text).Schema(c.key)
		if got := columnsOf(schema); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
		said := strings.Join(notes, "\n")
		for part := range strings.SplitSeq(c.notes, "|") {
			if !strings.Contains(said, part) || c.notes == "" && said != "" {
				t.Errorf("%s: got the notes %q, want %q", c.name, notes, c.notes)
			}
		}
		if again, err := audience.ParseSchema([]byte(schema.Text())); err != nil || again.Text() != schema.Text() {
			t.Errorf("%s: got %s, %v, of %s", c.name, again.Text(), err, schema.Text())
		}
	}
	if _, _, err := sampled(t, audience.CSV, "a,b\n1,2\n").Schema("id"); err == nil ||
		!strings.Contains(err.Error(), `got no column "id"`) {
		t.Errorf("got %v, want that there is no such key", err)
	}
	if _, _, err := sampled(t, audience.CSV, "id\n1\n").Schema(""); err == nil ||
		!strings.Contains(err.Error(), `column "id" has the keys`) {
		t.Errorf("got %v of a table of keys only", err)
	}
}

// TestNoRows: what is wrong with the first line of a table is said if no line is a row.
func TestNoRows(t *testing.T) {
	for text, want := range map[string]string{
		"{\"id\":1,\"a\":}\n": "line 1: is no JSON object: invalid character '}'",
		"\n5\n{\"id\":}\n":    "line 2: got a number, want an object",
		"{\"a\":" + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}\n": "exceeded max depth",
		"":       "got no value, want a row with one at least",
		"{}\n\n": "got no value, want a row with one at least",
	} {
		_, _, err := sampled(t, audience.NDJSON, text).Schema("")
		if err == nil || !errors.Is(err, audience.ErrTable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s", text, err, want)
		}
	}
}

// TestNull: what stands for no value has no type.
func TestNull(t *testing.T) {
	s := &guess.Sample{Null: []string{"NULL", "?"}}
	if _, err := s.Read(strings.NewReader("id,n\n1,5\n2,NULL\n3,?\n"), audience.CSV, table.Detect); err != nil {
		t.Fatal(err)
	}
	schema, notes, err := s.Schema("")
	if got := columnsOf(schema); err != nil || got != `id: n "integer"` || len(notes) > 0 || len(schema.Null) != 2 {
		t.Errorf("got %s, %v, %v, %v", got, schema.Null, notes, err)
	}
}

// TestManyTexts: a column of very many texts is said to be one.
func TestManyTexts(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,t,u\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d,text %d,%d\n", i, i, i%7)
	}
	s := sampled(t, audience.CSV, text.String())
	schema, notes, err := s.Schema("")
	if got := columnsOf(schema); err != nil || got != `id: t "single"; u "integer"` || s.Rows() != guess.MaxRows {
		t.Errorf("got %s, %v of %d rows", got, err, s.Rows())
	}
	if len(notes) != 1 || !strings.Contains(notes[0], `"t" has 10000 distinct texts in 10000 values`) {
		t.Errorf("got the notes %q", notes)
	}
}

// TestUnlikelyLists: that a column of texts may have lists is said.
func TestUnlikelyLists(t *testing.T) {
	_, notes, err := sampled(t, audience.CSV, "id,t,u\n1,a,x\n2,b,y\n3,c,\"|\"\n4,d,z\n5,e|f,w\n").Schema("")
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], `"t": 1 of 5 distinct values have "|" in them`) ||
		!strings.Contains(notes[0], "(t:set:split=|)") {
		t.Errorf("got the notes %q, %v", notes, err)
	}
}

// TestBounds: a sample takes no more of a table than it says, however long rows are.
func TestBounds(t *testing.T) {
	row := "k," + strings.Repeat("x", 1<<20) + "\n"
	s := new(guess.Sample)
	read := &countingReader{r: io.MultiReader(strings.NewReader("id,t\n"), strings.NewReader(strings.Repeat(row, 40)))}
	if _, err := s.Read(read, audience.CSV, table.Detect); err != nil || s.Rows() > 6 || read.n > 12<<20 {
		t.Errorf("got %d rows of %d bytes, %v", s.Rows(), read.n, err)
	}
}

// TestManyColumns: a table of any number of columns takes no more memory than one of many.
func TestManyColumns(t *testing.T) {
	var header, object strings.Builder
	object.WriteString(`{"id":1`)
	for i := range 20_000 {
		fmt.Fprintf(&header, "c%d,", i)
		fmt.Fprintf(&object, `,"c%d":null`, i)
	}
	rows := ""
	for i := range 3 {
		rows += strings.ReplaceAll(object.String()[:100_000], "c", fmt.Sprint("r", i, "c")) + `":1}` + "\n"
	}
	for text, format := range map[string]audience.Format{header.String() + "\n": audience.CSV,
		object.String() + "}\n": audience.NDJSON, rows: audience.NDJSON} {
		if _, err := new(guess.Sample).Read(strings.NewReader(text), format, table.Detect); err == nil ||
			!strings.Contains(err.Error(), "more than 10000 columns") {
			t.Errorf("%.40s: got %v", text, err)
		}
	}
}

type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestFormats finds the formats of texts and names, also compressed.
func TestFormats(t *testing.T) {
	var zip bytes.Buffer
	w := gzip.NewWriter(&zip)
	_, _ = io.WriteString(w, "\n {\"id\":1}\n")
	w.Close()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]audience.Format{"id,a\n1,2\n": audience.CSV, "": audience.CSV,
		"\ufeff{\"id\":1}\n": audience.NDJSON, zip.String(): audience.NDJSON,
		string(encoder.EncodeAll([]byte("id,a\n"), nil)): audience.CSV} {
		got, rest, err := guess.TextFormat(strings.NewReader(text))
		if err != nil || got != want {
			t.Errorf("%.20q: got %q, %v, want %q", text, got, err, want)
			continue
		}
		if again, err := io.ReadAll(rest); err != nil || string(again) != text {
			t.Errorf("%.20q: got %q, %v afterwards", text, again, err)
		}
	}
	for name, want := range map[string]audience.Format{"a.csv": "csv", "A.TSV.GZ": "tsv", "a.jsonl.zst": "ndjson",
		"x/a.parquet": "parquet", "a.gz": "", "stdin": "", "csv": ""} {
		if got := guess.NameFormat(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if _, _, err := guess.TextFormat(strings.NewReader(zip.String()[:12])); err == nil {
		t.Error("got a format of damaged gzip")
	}
}

// TestFit puts tables into indexes that are there.
func TestFit(t *testing.T) {
	fields := []uproar.Field{{Name: "likes", Type: uproar.Set, Column: uproar.FastColumn},
		{Name: "home_city", Type: uproar.Single}, {Name: "age", Type: uproar.Integer}}
	const table = "mail,home city,likes,age\na,Oslo,tea|cake,1\nb,,tea,2\n"
	for _, c := range []struct {
		text, key string
		ignore    bool
		want, err string
	}{
		{table, "", false, `mail: home city "single"; likes "set","split":"|","column":"fast"; age "integer"`, ""},
		{"id,age\n1,2\n1,3\n", "", false, `id: age "integer"`, ""},
		{"age\n1\n", "", false, `: age "integer"`, ""},
		{"id,age,x\n1,2,3\n", "", false, "", `got the columns ["x"], which are no fields of the index`},
		{"id,age,x\n1,2,3\n", "", true, `id: age "integer"`, ""},
		{"id,age,x\n1,2,3\n", "x", true, `x: age "integer"`, ""},
		{"id,age,age\n1,2,3\n", "", true, "", `"age" is there more than once`},
		{"id,x\n1,2\n", "", true, "", "got no columns"},
	} {
		schema, _, err := sampled(t, audience.CSV, c.text).Fit(fields, c.key, c.ignore)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: got %v, want %q", c.text, err, c.err)
			}
		} else if got := columnsOf(schema); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

// TestRemedy says which line of a schema takes what the guess did not.
func TestRemedy(t *testing.T) {
	for _, c := range []struct{ column, value, want string }{
		{"n:integer", "1.25", `a schema with {"name":"n","type":"decimal","scale":2} in the place of ` +
			`{"name":"n","type":"integer"}`},
		{"n:decimal:scale=1", "1.25", `"scale":2} in the place`},
		{"n:decimal:scale=16", "0.0123456789012345678", `{"name":"n","type":"single"} in`}, // too many digits
		{"n:decimal:scale=16", "0.012345678901234567", `{"name":"n","type":"decimal","scale":16,"round":true} in`},
		{"n:decimal:scale=15:round", "12345.125", `{"name":"n","type":"decimal","scale":12,"round":true} in`},
		{"n:decimal:scale=15:round", "x", `{"name":"n","type":"single"} in`},
		{"n:integer", "many", `{"name":"n","type":"single"} in`},
		{"n:integer", "9223372036854775808", `{"name":"n","type":"single"} in`},
		{"n:date", "31.1.2026", `{"name":"n","type":"single"} in`},
		{"n:single", "two", `{"name":"n","type":"set"}, if`},
		{"n:set", "x", ""},
		{"other:integer", "x", ""},
	} {
		column, err := audience.ParseColumn(c.column)
		if err != nil {
			t.Fatal(err)
		}
		got := guess.Remedy(&audience.Schema{Columns: []audience.Column{column}},
			&audience.ValueError{Column: "n", Value: c.value})
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s, %s: got %q, want %q", c.column, c.value, got, c.want)
		}
	}
	text := audience.Column{Name: "n", Field: uproar.Field{Name: "n", Type: uproar.Single}}
	if got := guess.Remedy(&audience.Schema{Columns: []audience.Column{text}}, &audience.ValueError{Column: "n",
		Value: strings.Repeat("x", 1<<17), Err: uproar.ErrInvalid}); got != "" {
		t.Errorf("a text that is too long: got %q, want no remedy by type", got)
	}
}
