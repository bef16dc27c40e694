// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"errors"
	"strings"

	"github.com/uproar-db/uproar/query"
)

// field is where documents have their terms.
const field = "text"

// errUnsupported says that a query is none of sets: of words in a row, or in an order by score.
var errUnsupported = errors.New("terms: this query is not supported")

// parse reads a query as the benchmark writes it, with the meaning that Lucene's classic parser
// gives it: documents have every +term and no -term; where there is no +term, they have one of the
// others at least.
func parse(text string) (query.Expr, error) {
	if strings.ContainsAny(text, `"()*?~^:[]{}`) {
		return nil, errUnsupported
	}
	var must, may, not []query.Expr
	for _, word := range strings.Fields(text) {
		term := strings.TrimLeft(word, "+-")
		if term == "" {
			return nil, errUnsupported
		}
		of := &may
		switch word[0] {
		case '+':
			of = &must
		case '-':
			of = &not
		}
		*of = append(*of, query.Equal{Field: field, Value: strings.ToLower(term)})
	}
	if len(must) == 0 {
		if len(may) == 0 {
			return query.Nothing{}, nil
		}
		must = []query.Expr{query.AnyOf(may...)}
	}
	if len(not) > 0 {
		must = append(must, query.NoneOf(not...))
	}
	if len(must) == 1 {
		return must[0], nil
	}
	return query.AllOf(must...), nil
}

// split appends the terms of a document: its letters and digits, in lower case.
func split(dst []string, text string) []string {
	return append(dst, strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < '0' || r > '9' && r < 'a' || r > 'z' && r < 128
	})...)
}
