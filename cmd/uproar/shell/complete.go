// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/query"
)

const (
	completionTime = 500 * time.Millisecond // how long values are looked for
	maxOffered     = 30                     // words that are offered at a time
	maxRanked      = 1000                   // values that are looked at
)

// words are those of the language.
var words = []string{"all", "and", "any", "at", "between", "in", "least", "most", "none", "not", "nothing", "of", "or",
	"prefix", "saved", "xor"}

// Where a value is typed: behind an operator of a field, in a list of values, or between the
// parentheses of a relation.
var (
	afterOperator = regexp.MustCompile(`(\w+)\s*(?:==?|!=|<>|\bprefix\b)\s*$`)
	inList        = regexp.MustCompile(`(\w+)\s+(?i:in)\s*\((?:[^()]*,)?\s*$`)
	inRelation    = regexp.MustCompile(`(\w+)\(\s*$`)
	firstWord     = regexp.MustCompile(`^\\(\w+)\s+$`)
)

// completer returns what completes statements. See newEditor.
func (s *session) completer(ctx context.Context) func(string) (int, []string) {
	return func(statement string) (int, []string) { return s.complete(ctx, statement) }
}

// complete returns where the word at the end of a statement begins, and what it may become.
func (s *session) complete(ctx context.Context, statement string) (from int, offers []string) {
	from = wordStart(statement)
	before, word := statement[:from], statement[from:]
	if from == 0 && strings.HasPrefix(word, `\`) {
		for _, c := range commands {
			offers = append(offers, `\`+c.name+" ")
		}
		return from, matching(offers, word)
	}
	if m := firstWord.FindStringSubmatch(before); m != nil {
		switch m[1] {
		case "index":
			return from, matching(s.names(), word)
		case "top", "groups", "distinct", "numbers":
			return from, matching(s.fieldNames(), word)
		}
	}
	for _, place := range []*regexp.Regexp{afterOperator, inList} {
		if m := place.FindStringSubmatch(before); m != nil {
			return from, s.valuesFor(ctx, m[1], word, false)
		}
	}
	if m := inRelation.FindStringSubmatch(before); m != nil && s.field(m[1]).Type == "relation" {
		return from, s.valuesFor(ctx, m[1], word, true)
	}
	return from, matching(append(s.fieldNames(), words...), word)
}

// wordStart returns where the word begins that a statement ends with: behind a quote that is open,
// with the quote, or behind what stands between words.
func wordStart(statement string) int {
	start := 0
	open := outside(statement, func(at int, c byte) {
		if strings.IndexByte(" \n\t(),=<>!", c) >= 0 {
			start = at + 1
		}
	})
	return max(start, open)
}

// matching returns the words that begin with another one, sorted, each once.
func matching(of []string, word string) (found []string) {
	for _, w := range of {
		if strings.HasPrefix(w, word) && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	slices.Sort(found)
	return found
}

func (s *session) fieldNames() (names []string) {
	for _, f := range s.fields() {
		names = append(names, f.Name)
	}
	return names
}

// field returns a field of the index; without a name if there is none.
func (s *session) field(name string) api.DeclaredField {
	for _, f := range s.fields() {
		if f.Name == name {
			return f
		}
	}
	return api.DeclaredField{}
}

// valuesFor returns values of a field that begin with what was typed, the most frequent first, as
// the language writes them. In the row of a relation they are those who have one. It gives up when
// that takes long.
func (s *session) valuesFor(ctx context.Context, field, typed string, row bool) (offers []string) {
	of := s.field(field)
	if of.Name == "" || of.Values == "integers" {
		return nil
	}
	ranked, asked := field, field // the field with the values, and the one that is asked for them
	if of.Inverse != "" {
		if row {
			asked = of.Inverse
		} else {
			ranked = of.Inverse
		}
	}
	prefix := strings.TrimLeft(typed[:min(1, len(typed))], `"'`) + typed[min(1, len(typed)):]
	for _, value := range s.ranked(ctx, ranked, asked, prefix) {
		text := written(value)
		switch {
		case strings.HasPrefix(typed, `'`):
			text = "'" + strings.ReplaceAll(strings.ReplaceAll(value, `\`, `\\`), "'", "''") + "'"
		case strings.HasPrefix(typed, `"`) && text == value:
			text = `"` + value + `"`
		}
		if offers = append(offers, text); len(offers) == maxOffered {
			break
		}
	}
	return offers
}

// ranked returns values of a field with a prefix. What was found once is not asked for again.
func (s *session) ranked(ctx context.Context, ranked, asked, prefix string) (found []string) {
	question := s.index + " " + ranked + " " + asked + " " + prefix
	if found, ok := s.values[question]; ok {
		return found
	}
	q := "any(" + asked + ")"
	if prefix != "" {
		q = query.Prefix{Field: asked, Value: prefix}.String()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	r, err := s.src.Client.Answers(ctx, api.AnswersRequest{Index: s.index, Query: client.Text(q),
		Answers: []api.Question{{Name: "values", Answer: api.AnswerTop, Field: ranked, Limit: maxRanked}}})
	if err != nil || len(r.Answers) != 1 {
		return nil
	}
	for _, x := range r.Answers[0].Rows {
		if strings.HasPrefix(x.Key, prefix) {
			found = append(found, x.Key)
		}
	}
	if s.values == nil {
		s.values = make(map[string][]string)
	}
	s.values[question] = found
	return found
}

// written returns a value as the language writes it: bare, or in quotes.
func written(value string) string {
	text := query.Saved{Name: value}.String()
	return strings.TrimSuffix(strings.TrimPrefix(text, "saved("), ")")
}
