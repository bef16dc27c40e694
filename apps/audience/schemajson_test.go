// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestSchemaJSON: a schema is the same once it was written and read.
func TestSchemaJSON(t *testing.T) {
	schema := audience.Schema{Key: "id <1>", Null: []string{"?", "NULL"}}
	for _, text := range []string{"likes:set:split=|:column=fast", "home-city:single:field=city", "age:integer",
		"height:decimal:scale=2", "born:date", "seen:time", "a b:single"} {
		c, err := audience.ParseColumn(text)
		if err != nil {
			t.Fatal(err)
		}
		schema.Columns = append(schema.Columns, c)
	}
	const want = `{
  "key": "id <1>",
  "null": ["?","NULL"],
  "columns": [
    {"name":"likes","type":"set","split":"|","column":"fast"},
    {"name":"home-city","field":"city","type":"single"},
    {"name":"age","type":"integer"},
    {"name":"height","type":"decimal","scale":2},
    {"name":"born","type":"date"},
    {"name":"seen","type":"time"},
    {"name":"a b","type":"single"}
  ]
}
`
	if got := schema.Text(); got != want {
		t.Errorf("got %s", got)
	}
	short, err := schema.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{want, string(short)} {
		if again, err := audience.ParseSchema([]byte(text)); err != nil || again.Text() != want {
			t.Errorf("%s: got %s, %v", text, again.Text(), err)
		}
	}
	for text, want := range map[string]string{
		``:                "EOF",
		`{"columns":[]}`:  "got no columns",
		`{"columns":[1]}`: "cannot unmarshal",
		`{"columns":[{"name":"a","type":"single"}]} x`:                      "got more behind",
		`{"columns":[{"name":"a","type":"single","colour":1}]}`:             `unknown field "colour"`,
		`{"columns":[{"name":"a","type":"float"}]}`:                         `got type "float"`,
		`{"columns":[{"name":"a","type":"decimal"}]}`:                       "with scale 0",
		`{"columns":[{"name":"a","type":"integer","scale":2}]}`:             "with scale 2",
		`{"columns":[{"name":"a","type":"relation"}]}`:                      "relation",
		`{"columns":[{"name":"a","type":"single","split":"|"}]}`:            "several values",
		`{"key":"a","columns":[{"name":"a","type":"single"}]}`:              "as the key as well",
		`{"columns":[{"type":"single"}]}`:                                   "without a name",
		`{"columns":[{"name":"a","type":"set"}],"keys":"a"}`:                `unknown field "keys"`,
		`{"columns":[{"name":"a","type":"set"},{"name":"a","type"`:          "unexpected EOF",
		`{"columns":[{"name":"a","type":"decimal","scale":-1}]}`:            "with scale -1",
		`[{"columns":[{"name":"a","type":"set"}]}]`:                         "cannot unmarshal",
		`{"columns":[{"name":"a","type":"set"},{"name":"a","type":"set"}]}`: "twice",
	} {
		if s, err := audience.ParseSchema([]byte(text)); !errors.Is(err, audience.ErrSchema) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %+v, %v, want %s", text, s, err, want)
		}
	}
}

// TestExact: with it a bad value ends an import, and a bad line or a member that is not known
// beside it.
func TestExact(t *testing.T) {
	schema := audience.Schema{Key: "id", Columns: []audience.Column{
		{Name: "n", Field: uproar.Field{Name: "n", Type: uproar.Integer}}}}
	for _, c := range []struct {
		text   string
		format audience.Format
		want   string // "": it is imported
	}{
		{"id,n\na,1\nonly\n,2\nb,3\n", audience.CSV, ""},
		{"id,n\na,1\nb,x\n", audience.CSV, `line 3, column n: n: got "x"`},
		{`{"id":"a","n":1}` + "\n[]\n" + `{"id":"b","n":[]}`, audience.NDJSON, ""},
		{`{"id":"a","n":1,"old":5,"m":null}`, audience.NDJSON, ""},
		{`{"id":"a","n":1}` + "\n" + `{"id":"b","m":1}`, audience.NDJSON, `line 2: got the member "m"`},
		{`{"id":"a","n":[1,2]}`, audience.NDJSON, "got a list of several values"},
		{`{"id":"a","n":{}}`, audience.NDJSON, "line 1, column n"},
	} {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		im, err := audience.Begin(t.Context(), db, "people", schema, audience.Options{Exact: true,
			Known: []string{"id", "n", "old"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = im.Read(strings.NewReader(c.text), c.format)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
		im.Abort()
		if indexes := db.Indexes(); len(indexes) > 0 {
			t.Errorf("%s: got the indexes %v, want none", c.text, indexes)
		}
		_ = db.Close()
	}
}
