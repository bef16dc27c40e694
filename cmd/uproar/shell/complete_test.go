// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/memstore"
)

// newSession returns a session about an index of people who know each other.
func newSession(t *testing.T) (s *session, out, errOut *strings.Builder) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	index, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Set}, uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known"})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for record, city := range map[string]string{"ann": "Oslo", "bob": "New York", "cid": "Newcastle"} {
		b.Set("city", record, city)
	}
	b.Set("knows", "ann", "bob")
	b.Set("knows", "ann", "bill")
	b.Set("likes", "ann", "tea")
	b.Set("likes", "ann", "toast")
	b.SetInt("age", "ann", 30)
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	src, err := database.Local(db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	out, errOut = new(strings.Builder), new(strings.Builder)
	s = &session{con: &terminal.Console{Out: out, Err: errOut}, src: src, limit: 20}
	if err := s.begin(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	return s, out, errOut
}

func TestComplete(t *testing.T) {
	s, _, _ := newSession(t)
	for _, tc := range []struct {
		typed string
		want  string // what the word may become
	}{
		{"ci", "city"},
		{"city = Os", "Oslo"},
		{"city=New", `"New York" Newcastle`},
		{`city = "New`, `"New York" "Newcastle"`},
		{"city != O", "Oslo"},
		{"city == O", "Oslo"},
		{"city <> O", "Oslo"},
		{"city = 'New", "'New York' 'Newcastle'"},
		{"likes = 'it''s, (' and ci", "city"},
		{"city in (Oslo, N", `"New York" Newcastle`},
		{"city prefix O", "Oslo"},
		{"likes = t", "tea toast"},
		{"age = 3", ""},
		{"knows(a", "ann"},    // whom ann knows
		{"knows = bo", "bob"}, // who know bob
		{"known(b", "bill bob"},
		{"any(c", "city"},
		{"city = Oslo an", "and any"},
		{"city = Oslo and\nli", "likes"},
		{"(n", "none not nothing"},
		{`\in`, `\index `},
		{`\index p`, "people"},
		{`\top l`, "likes"},
		{`\top likes city = O`, "Oslo"},
		{"zzz", ""},
		{"nofield = x", ""},
	} {
		_, offers := s.complete(t.Context(), tc.typed)
		words := map[string]bool{}
		for _, w := range offers {
			words[w] = true
		}
		if got := strings.Join(matching(offers, ""), " "); got != tc.want || len(words) != len(offers) {
			t.Errorf("%q: got %q, want %q", tc.typed, got, tc.want)
		}
	}
}

func TestGoesOn(t *testing.T) {
	for text, want := range map[string]bool{
		"all": false, "follows(": true, "follows(a)": false, `{"field":`: true, `{"field":"a)"}`: false,
		`city = "(`: true, `city = "("`: false, `city = "\"(`: true, "a = b and": true, "a = b AND": true,
		`a = '(`: true, `a = '('`: false, `a = '"('`: false, `a = "'("`: false, `a = 'it''s ('`: false,
		"a = b\nor": true, `\explain not`: true, `\index`: false, "a = band": false, ")": false,
	} {
		if got := goesOn(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestHistoryKeepsTexts: a statement over several lines becomes one that asks the same.
func TestHistoryKeepsTexts(t *testing.T) {
	const statement = "city = 'New  York'\nor city = Oslo"
	if got, want := asLine(statement), "city = 'New  York' or city = Oslo"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestScript: statements over several lines, settings, and what fails.
func TestScript(t *testing.T) {
	s, out, errOut := newSession(t)
	s.con.In = strings.NewReader("city = Oslo or\n city in (\"New York\",\nNewcastle)\n\n\\json on\n" +
		"knows(ann) and\n\n\\numbers age all\n\\json off\n\\groups city all\n\\json maybe\n\\limit x\n\\top\n\\save x")
	err := s.script(t.Context())
	if err == nil || err.Error() != "5 of 10 statements failed" {
		t.Errorf("got %v", err)
	}
	want := "cid\n" // the order of the records is that of a map
	const figures = `{"name":"age","count":1,"sum":30,"mean":30,"min":30,"max":30,"quantiles":[30,30,30]}`
	if got := out.String(); !strings.Contains(got, want) || !strings.Contains(got, figures) ||
		!strings.Contains(got, "1\tNew York\n") {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"want an expression", `got "maybe", want on or off`, `got the limit "x"`,
		"got no query, want FIELD QUERY", "got no query, want NAME QUERY", "json is off"} {
		if !strings.Contains(errOut.String(), text) {
			t.Errorf("got %q, want %q", errOut.String(), text)
		}
	}
}
