// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intake

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/memstore"
)

// tables returns an import of texts, "name", "text" each, and what it says.
func tables(f *Flags, texts ...string) (j *Job, out, said *bytes.Buffer) {
	out, said = new(bytes.Buffer), new(bytes.Buffer)
	if f.Format == "" {
		f.Format = "detect"
	}
	if f.Separator == "" {
		f.Separator = "detect"
	}
	f.Index = "people"
	var sources []*Source
	for i := 0; i < len(texts); i += 2 {
		sources = append(sources, &Source{Reader: strings.NewReader(texts[i+1]), Name: texts[i]})
	}
	con := terminal.New(strings.NewReader("y\n"), out, said, func(string) string { return "" })
	return New(f, con, sources), out, said
}

// TestChoose: a guess is used when it is asked for, and only then.
func TestChoose(t *testing.T) {
	fields := []uproar.Field{{Name: "n", Type: uproar.Integer}}
	schema := t.TempDir() + "/schema.json"
	if err := os.WriteFile(schema, []byte(`{"key":"id","columns":[{"name":"n","type":"single"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	const table = "id,n\na,1\nb,2\n"
	for _, c := range []struct {
		name   string
		flags  Flags
		fields []uproar.Field
		goOn   bool
		out    string // part of it
		err    string
	}{
		{"nobody to ask", Flags{}, nil, false, "", "there is nobody to ask"},
		{"yes", Flags{Yes: true}, nil, true, "", ""},
		{"dry run", Flags{DryRun: true, Yes: true}, nil, false, `{"name":"n","type":"integer"}`, ""},
		{"fields", Flags{}, fields, true, "", ""},
		{"other fields", Flags{}, []uproar.Field{{Name: "m", Type: uproar.Set}}, false, "", `got the columns ["n"]`},
		{"columns", Flags{Column: []string{"n:set"}}, nil, true, "", ""},
		{"schema", Flags{Schema: schema, DryRun: true}, nil, false, `{"name":"n","type":"single"}`, ""},
		{"no schema", Flags{Schema: schema + "x"}, nil, false, "", "--schema"},
		{"no key", Flags{Key: "nr", Yes: true}, nil, false, "", `got no column "nr"`},
		{"no objects", Flags{Format: "ndjson", Yes: true}, nil, false, "", "table.csv: table: it is a JSON array"},
		{"no file", Flags{Format: "parquet", Yes: true}, nil, false, "", "want Parquet in a file on disk"},
	} {
		text := table
		if c.flags.Format == "ndjson" {
			text = "[1]"
		}
		j, out, _ := tables(&c.flags, "table.csv", text)
		goOn, err := j.Choose(c.fields)
		if goOn != c.goOn || (err == nil) != (c.err == "") || err != nil &&
			!strings.Contains(err.Error(), c.err) || !strings.Contains(out.String(), c.out) ||
			c.out == "" && out.Len() > 0 {
			t.Errorf("%s: got %t, %v, and printed %q", c.name, goOn, err, out)
		}
		if all, readErr := io.ReadAll(j.sources[0]); err == nil && (readErr != nil || string(all) != text) {
			t.Errorf("%s: got %q, %v of the table afterwards", c.name, all, readErr)
		}
	}
}

// TestLoad loads tables of several formats, and names the file in which a guess was wrong.
func TestLoad(t *testing.T) {
	load := func(j *Job) (*uproar.DB, error) {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if goOn, err := j.Choose(nil); err != nil || !goOn {
			t.Fatal(goOn, err)
		}
		return db, j.Load(t.Context(), db, "db", 0, false)
	}
	rows := strings.Repeat("k,1\n", 10_000)
	j, out, _ := tables(&Flags{Yes: true, Key: "id"}, "a.csv", "id,n\na,1\n", "b", `{"id":"b","n":2}`, "c.tsv",
		"n\tid\n3\tc\n")
	if _, err := load(j); err != nil || !strings.Contains(out.String(), "imported 3 values of 3 records") {
		t.Errorf("got %v, %q", err, out)
	}
	j, out, _ = tables(&Flags{Yes: true, Key: "id"}, "a.csv", "id,n\n"+rows, "b.csv", "id,n\nb,2\nc,x\n")
	db, err := load(j)
	if _, advice := errors.AsType[*AdviceError](err); !advice || out.Len() > 0 || len(db.Indexes()) > 0 ||
		!strings.HasPrefix(err.Error(), `b.csv: line 3, column n: n: got "x"`) ||
		!strings.Contains(err.Error(), "nothing was imported\nTry: --schema FILE: a schema with ") {
		t.Errorf("got %v, %q and %v", err, out, db.Indexes())
	}
	j, _, _ = tables(&Flags{Yes: true, Key: "id"}, "a.csv", "id,n\n"+rows, "b.ndjson", `{"id":"b","m":2}`)
	if _, err = load(j); err == nil || !strings.Contains(err.Error(), `b.ndjson: table: line 1: got the member "m"`) {
		t.Errorf("got %v", err)
	}
	j, _, said := tables(&Flags{Column: []string{"n:integer"}, Key: "id", Bad: 0.9, ShowBad: 1}, "a.csv",
		"id,n\na,x\nb,y\nc,1\n")
	if _, err := load(j); err != nil || !strings.Contains(said.String(), "a.csv: line 2, column n") ||
		!strings.Contains(said.String(), "and 1 bad value more") {
		t.Errorf("got %v, %q", err, said)
	}
}

// TestSend says how tables are sent.
func TestSend(t *testing.T) {
	j, _, _ := tables(&Flags{Yes: true}, "a.csv", "id,n\na,1\n", "b", `{"id":"b","n":2}`)
	if goOn, err := j.Choose(nil); err != nil || !goOn {
		t.Fatal(goOn, err)
	}
	sent, err := j.Send()
	if err != nil || string(sent.Schema) != `{"key":"id","columns":[{"name":"n","type":"integer"}]}` ||
		sent.Query.Get("guessed") != "true" || sent.Try.Get("check") != "true" {
		t.Errorf("got %+v, %s, %v", sent, sent.Schema, err)
	}
	if a, b := j.sources[0].Media, j.sources[1].Media; a != "text/csv" || b != "application/x-ndjson" {
		t.Errorf("got the media types %s and %s", a, b)
	}
	file, err := os.Open("../../../apps/audience/parquet/testdata/people.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	j, _, _ = tables(&Flags{Yes: true}, "people.parquet", "")
	j.sources[0].Reader, j.sources[0].Size = file, info.Size()
	if goOn, err := j.Choose(nil); err != nil || !goOn {
		t.Fatal(goOn, err)
	}
	if _, err := j.Send(); err != nil || j.sources[0].Media != "application/vnd.apache.parquet" {
		t.Fatalf("got %v, the media type %s", err, j.sources[0].Media)
	}
	if sent, err := io.ReadAll(j.sources[0]); err != nil || int64(len(sent)) != info.Size() {
		t.Errorf("got %d bytes, %v, want all of the file", len(sent), err)
	}
}

// TestCheck refuses flags that do not go together.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{}, ""}, {Flags{Schema: "x"}, ""}, {Flags{Column: []string{"a:set"}, Key: "id"}, ""},
		{Flags{Schema: "x", Key: "id"}, "does not go with"}, {Flags{Column: []string{"a:float"}}, "--column: schema"},
		{Flags{Column: []string{"a:set", "a:single"}}, "--column: schema"},
	} {
		if err := c.flags.Check(); (err == nil) != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.flags, err, c.want)
		}
	}
}
