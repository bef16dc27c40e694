// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/ask"
)

// command is what a line with a backslash does.
type command struct {
	name, takes, about string
	run                func(s *session, ctx context.Context, rest string) error
}

// commands are all of them, in the order of the help.
var commands []command

func init() { // and not above: the help lists them
	commands = []command{
		{"count", "QUERY", "how many records match", asks("", func(q *ask.Query, _ string) { q.Count = true })},
		{"ids", "QUERY", "their IDs", asks("", func(q *ask.Query, _ string) { q.IDs = true })},
		{"top", "FIELD QUERY", "the most frequent values of a field",
			asks("FIELD", func(q *ask.Query, field string) { q.Top = field })},
		{"groups", "FIELD,... QUERY", "how many records have each combination of values",
			asks("FIELD,...", func(q *ask.Query, fields string) { q.Groups = strings.Split(fields, ",") })},
		{"distinct", "FIELD QUERY", "how many values the records have",
			asks("FIELD", func(q *ask.Query, field string) { q.Distinct = field })},
		{"numbers", "FIELD QUERY", "sum, mean and quantiles of an integer field",
			asks("FIELD", func(q *ask.Query, field string) { q.Figures.Numbers = field })},
		{"save", "NAME QUERY", "store the records as saved(NAME)",
			asks("NAME", func(q *ask.Query, name string) { q.Save = name })},
		{"explain", "QUERY", "the plan, and what its steps found and took",
			asks("", func(q *ask.Query, _ string) { q.Explain = true })},
		{"index", "[NAME]", "ask this index; without a name: which there are", (*session).chooseIndex},
		{"fields", "", "the fields of the index", (*session).showFields},
		{"limit", "N", "print at most N records, values or groups; 0: all", (*session).setLimit},
		{"timing", "[on|off]", "print how long each statement takes", (*session).setTiming},
		{"json", "[on|off]", "print answers as JSON", (*session).setJSON},
		{"help", "", "this list", (*session).help},
		{"quit", "", "end", func(s *session, _ context.Context, _ string) error {
			s.ended = true
			return nil
		}},
	}
}

// carryOut carries out a statement.
func (s *session) carryOut(ctx context.Context, text string) error {
	defer s.took(time.Now())
	after, isCommand := strings.CutPrefix(text, `\`)
	if !isCommand {
		return s.answer(ctx, ask.Query{Query: text})
	}
	name, rest, _ := strings.Cut(asLine(after), " ")
	if name == "q" || name == "?" {
		name = map[string]string{"q": "quit", "?": "help"}[name]
	}
	for _, c := range commands {
		if c.name == name {
			return c.run(s, ctx, strings.TrimSpace(rest))
		}
	}
	return fmt.Errorf(`there is no \%s; \help lists what there is`, name)
}

// answer asks a query, with the settings of the session.
func (s *session) answer(ctx context.Context, q ask.Query) error {
	if s.index == "" {
		return fmt.Errorf("the database has no index")
	}
	if err := ask.Check(q.Query); err != nil {
		return err
	}
	q.Index, q.List.Limit, q.List.JSON = s.index, s.limit, s.json
	q.By, q.Least, q.Figures.Quantiles = "count", 1, []float64{0.25, 0.5, 0.75}
	return q.Answer(ctx, s.con, s.src)
}

// asks returns a command that asks a query, behind a word if one is wanted.
func asks(word string, set func(q *ask.Query, word string)) func(*session, context.Context, string) error {
	return func(s *session, ctx context.Context, rest string) error {
		first := ""
		if word != "" {
			first, rest, _ = strings.Cut(rest, " ")
		}
		if rest = strings.TrimSpace(rest); rest == "" {
			return fmt.Errorf("got no query, want %s", strings.TrimSpace(word+" QUERY"))
		}
		q := ask.Query{Query: rest}
		set(&q, first)
		return s.answer(ctx, q)
	}
}

// chooseIndex chooses an index, or lists them.
func (s *session) chooseIndex(ctx context.Context, name string) error {
	if err := s.begin(ctx, s.index); err != nil { // there may be new ones
		return err
	}
	if name != "" {
		return s.choose(name)
	}
	out := s.con.Rows("#records", "index")
	for _, x := range s.indexes {
		if err := out.Add(strconv.FormatUint(x.Records, 10), x.Name); err != nil {
			return err
		}
	}
	return out.Flush()
}

// showFields lists the fields of the index.
func (s *session) showFields(ctx context.Context, _ string) error {
	if err := s.begin(ctx, s.index); err != nil {
		return err
	}
	out := s.con.Rows("field", "type", "values")
	for _, f := range s.fields() {
		if err := out.Add(f.Name, f.Type, valuesOf(f)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// valuesOf says what the values of a field are.
func valuesOf(f api.DeclaredField) string {
	switch {
	case f.Inverse != "":
		return f.Values + ", inverse " + f.Inverse
	case f.Format != "":
		return f.Format + "s"
	}
	return f.Values
}

func (s *session) setLimit(_ context.Context, text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("got the limit %q, want a number, or 0 for all", text)
	}
	s.limit = n
	return nil
}

func (s *session) setTiming(_ context.Context, text string) error {
	return s.set("timing", &s.timing, text)
}

func (s *session) setJSON(_ context.Context, text string) error { return s.set("json", &s.json, text) }

// set sets a setting to on or off, or to the other one.
func (s *session) set(name string, setting *bool, text string) error {
	switch text {
	case "":
		*setting = !*setting
	case "on", "off":
		*setting = text == "on"
	default:
		return fmt.Errorf("got %q, want on or off", text)
	}
	_, err := fmt.Fprintf(s.con.Err, "%s is %s\n", name, map[bool]string{true: "on", false: "off"}[*setting])
	return err
}

func (s *session) help(context.Context, string) error {
	out := s.con.Rows("statement", "prints or does")
	if err := out.Add("QUERY", "the records that match"); err != nil {
		return err
	}
	for _, c := range commands {
		if err := out.Add(strings.TrimSpace(`\`+c.name+" "+c.takes), c.about); err != nil {
			return err
		}
	}
	return out.Flush()
}
