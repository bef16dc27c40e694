// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestAcceptance runs the scripts of testdata/queries, whose first lines in each file say what it
// is about. A script is a sequence of steps: a line with a command, and indented lines with what it
// takes or what is expected of it. Blank lines and lines that begin with # mean nothing.
//
//	fields            name type [inverse=name] [format=date|time] [scale=n], one a line: begins a new index
//	load              record field=value ..., one a line; -field=value takes a value away, - alone deletes the record
//	save NAME QUERY   stores a set
//	query QUERY       the keys of the records expected, in order; none: no line
//	error QUERY       the text of the error expected, without the package
//	json JSON         as query, the query in JSON
//	ANSWER ARGUMENTS  any other question, see acceptanceanswer_test.go
//
// Every script runs three times: with all writes pending, flushed after each load, and some flushed
// and some pending.
func TestAcceptance(t *testing.T) {
	files, err := filepath.Glob("testdata/queries/*.test")
	if err != nil || len(files) < 5 {
		t.Fatalf("got %d scripts, %v, want all", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, flush := range []string{"never", "always", "every second load"} {
			t.Run(filepath.Base(file)+" flushed "+flush, func(t *testing.T) {
				s := &script{T: t, file: file, flush: flush}
				s.run(string(text))
			})
		}
	}
}

// A script is one that runs.
type script struct {
	*testing.T
	file  string
	line  int
	flush string
	loads int
	ix    *uproar.Index
}

// fail reports what is wrong with the step.
func (s *script) fail(format string, args ...any) {
	s.Helper()
	s.Errorf("%s:%d: %s", s.file, s.line, fmt.Sprintf(format, args...))
}

func (s *script) run(text string) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		head := lines[i]
		s.line = i + 1
		i++
		if strings.TrimSpace(head) == "" || head[0] == '#' {
			continue
		}
		var body []string
		for i < len(lines) && strings.HasPrefix(lines[i], "\t") {
			body = append(body, strings.TrimPrefix(lines[i], "\t"))
			i++
		}
		command, argument, _ := strings.Cut(head, " ")
		s.step(command, argument, body)
	}
}

func (s *script) step(command, argument string, body []string) {
	switch command {
	case "fields":
		s.fields(body)
	case "load":
		s.load(body)
	case "save":
		name, text, _ := strings.Cut(argument, " ")
		if _, err := s.ix.Save(s.Context(), name, s.parse(text)); err != nil {
			s.fail("%v", err)
		}
	case "query":
		s.query(s.parse(argument), body)
	case "json":
		e, err := query.ParseJSON([]byte(argument))
		if err != nil {
			s.fail("%v", err)
			return
		}
		s.query(e, body)
	case "error":
		s.error(argument, strings.Join(body, "\n"))
	default:
		s.answer(command, argument, body)
	}
}

func (s *script) fields(body []string) {
	var fields []uproar.Field
	for _, line := range body {
		words := strings.Fields(line)
		f := uproar.Field{Name: words[0], Type: uproar.FieldType(words[1])}
		for _, option := range words[2:] {
			switch name, value, _ := strings.Cut(option, "="); name {
			case "inverse":
				f.Inverse = value
			case "format":
				f.Format = uproar.Format(value)
			case "scale":
				f.Scale, _ = strconv.Atoi(value)
			default:
				s.fail("got option %q", option)
			}
		}
		fields = append(fields, f)
	}
	db, err := uproar.Open(s.Context(), memstore.New(), nil)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { db.Close() })
	if s.ix, err = db.CreateIndex(s.Context(), "test", fields...); err != nil {
		s.Fatalf("%s:%d: %v", s.file, s.line, err)
	}
}

func (s *script) load(body []string) {
	var b uproar.Batch
	for _, line := range body {
		words := strings.Fields(line)
		record := words[0]
		b.AddRecord(record)
		for _, w := range words[1:] {
			field, value, ok := strings.Cut(w, "=")
			switch cut, minus := strings.CutPrefix(field, "-"); {
			case minus && !ok:
				b.DeleteRecord(record)
			case minus:
				b.Clear(cut, record, value)
			default:
				b.Set(field, record, strings.ReplaceAll(value, "·", " "))
			}
		}
	}
	if _, err := s.ix.Write(s.Context(), &b); err != nil {
		s.Fatalf("%s:%d: %v", s.file, s.line, err)
	}
	s.loads++
	if s.flush == "always" || s.flush == "every second load" && s.loads%2 == 1 {
		if err := s.ix.Flush(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

func (s *script) parse(text string) query.Expr {
	e, err := query.Parse(text)
	if err != nil {
		s.fail("%v", err)
		return query.Nothing{}
	}
	return e
}

// query asks for the records of an expression in every way there is.
func (s *script) query(e query.Expr, want []string) {
	s.Helper()
	text, err := query.Parse(e.String())
	if err != nil {
		s.fail("%s: %v", e, err)
		return
	}
	json, err := query.ParseJSON(query.AppendJSON(nil, e))
	if err != nil {
		s.fail("%s: %v", e, err)
		return
	}
	snap := s.ix.Snapshot()
	defer snap.Close()
	for _, form := range []struct {
		name string
		e    query.Expr
	}{{"as it is", e}, {"by its text", text}, {"by its JSON", json}, {"simplified", query.Simplify(e)},
		{"doubly negated", query.Not{Of: query.Not{Of: e}}}} {
		keys, err := snap.Keys(s.Context(), form.e, uproar.Page{})
		if err != nil || !slices.Equal(keys.Keys, want) {
			s.fail("%s, %s:\n got %q, %v\nwant %q", e, form.name, keys.Keys, err, want)
		}
		if n, err := snap.Count(s.Context(), form.e); err != nil || n != uint64(len(want)) {
			s.fail("count of %s, %s: got %d, %v, want %d", e, form.name, n, err, len(want))
		}
	}
	set, err := snap.Bitmap(s.Context(), e)
	if err != nil {
		s.fail("bitmap of %s: %v", e, err)
		return
	}
	if n, err := snap.Count(s.Context(), query.Xor{Of: []query.Expr{e,
		query.Bitmap{Bytes: set.Bytes()}}}); err != nil || n != 0 {
		s.fail("%s and its bitmap differ in %d records, %v", e, n, err)
	}
	all, err := snap.Keys(s.Context(), query.All{}, uproar.Page{})
	if err != nil {
		s.fail("all: %v", err)
	}
	for _, key := range all.Keys {
		if in, err := snap.Contains(s.Context(), e, key); err != nil || in != slices.Contains(want, key) {
			s.fail("%s contains %s: got %v, %v", e, key, in, err)
		}
	}
}

// error asks for an error, of parsing or of evaluation.
func (s *script) error(text, want string) {
	e, err := query.Parse(text)
	if err == nil {
		snap := s.ix.Snapshot()
		defer snap.Close()
		_, err = snap.Count(s.Context(), e)
	}
	if err == nil {
		s.fail("got no error, want %s", want)
		return
	}
	got := err.Error()
	for _, prefix := range []string{"query: ", "uproar: ", "eval: "} {
		got = strings.TrimPrefix(got, prefix)
	}
	if got != want {
		s.fail("\n got %s\nwant %s", got, want)
	}
}
