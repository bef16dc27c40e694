// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// invalid returns the error that a request is malformed.
func invalid(format string, args ...any) error {
	return &api.Error{Code: api.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// params are the parameters after the question mark. Decoders take those that
// they know, and then ask finish whether all was well: a parameter that nobody
// took is an error, so that a misspelt one is not silently without effect.
type params struct {
	list  []param
	known []string
	err   error // the first one
}

type param struct {
	name, value string
	taken       bool
}

// parseParams splits a query string. url.ParseQuery drops what it cannot read
// when asked through Request.URL.Query; here it is an error.
func parseParams(query string) *params {
	p := &params{list: make([]param, 0, 1+strings.Count(query, "&"))}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		n, err := unescape(name)
		if err != nil {
			p.fail(invalid("name of parameter %s: %s", quote(name), unescapeReason(err)))
		}
		v, err := unescape(value)
		if err != nil {
			p.fail(invalid("parameter %s: %s", quote(n), unescapeReason(err)))
		}
		p.list = append(p.list, param{name: n, value: v})
	}
	return p
}

// unescape is url.QueryUnescape, faster for what is not escaped, as most is not.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	return url.QueryUnescape(s)
}

func unescapeReason(err error) string {
	return strings.TrimPrefix(err.Error(), "invalid ") + " is malformed"
}

func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// share takes a parameter that is a share, such as 5% or 0.05, and reports whether it is there.
func (p *params) share(name string) (share float64, ok bool) {
	text, ok := p.optional(name)
	if !ok {
		return 0, false
	}
	share, err := tolerance.Parse(text)
	if err != nil {
		p.fail(invalid("parameter %q: %s", name, err))
	}
	return share, true
}

// all takes every value of a parameter.
func (p *params) all(name string) (values []string) {
	p.known = append(p.known, name)
	for i := range p.list {
		if p.list[i].name == name {
			p.list[i].taken = true
			values = append(values, p.list[i].value)
		}
	}
	return values
}

// optional takes a parameter that stands at most once.
func (p *params) optional(name string) (value string, ok bool) {
	p.known = append(p.known, name)
	for i := range p.list {
		if p.list[i].name != name {
			continue
		}
		p.list[i].taken = true
		if ok {
			p.fail(invalid("parameter %q is given more than once", name))
		}
		value, ok = p.list[i].value, true
	}
	return value, ok
}

// required takes a parameter that stands exactly once.
func (p *params) required(name string) string {
	value, ok := p.optional(name)
	if !ok {
		p.fail(invalid("parameter %q is missing", name))
	}
	return value
}

// limit takes the parameter "limit".
func (p *params) limit() (limit int, given bool) {
	text, ok := p.optional("limit")
	if !ok {
		return api.DefaultLimit, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > api.MaxLimit {
		p.fail(invalid("parameter \"limit\" is %s, want 1 to %d", quote(text), api.MaxLimit))
	}
	return n, true
}

// part takes "limit", "cursor", "count" and "viewer".
func (p *params) part() api.Part {
	limit, limited := p.limit()
	cursor := p.cursor()
	part := api.Part{Limit: limit, Cursor: cursor, Count: p.flag("count")}
	if part.Count && (limited || cursor != "") {
		p.fail(invalid("parameter \"count\" is given with \"limit\" or \"cursor\": a count has no pages"))
	}
	viewer, ok := p.optional("viewer")
	if ok && viewer == "" {
		p.fail(invalid("parameter \"viewer\" is empty"))
	}
	part.Viewer = viewer
	return part
}

// cursor takes "cursor". An empty one would be the first page, which is asked for without.
func (p *params) cursor() string {
	cursor, ok := p.optional("cursor")
	if ok && cursor == "" {
		p.fail(badCursor(cursor))
	}
	return cursor
}

// flag takes a parameter that is true or false.
func (p *params) flag(name string) bool {
	text, ok := p.optional(name)
	if ok && text != "true" && text != "false" {
		p.fail(invalid("parameter %q is %s, want true or false", name, quote(text)))
	}
	return text == "true"
}

// finish returns the first thing that is wrong with the parameters, an unknown
// one before all others: it is why another is missing.
func (p *params) finish() error {
	for _, one := range p.list {
		if !one.taken {
			return invalid("unknown parameter %s; known are: %s", quote(one.name), p.names())
		}
	}
	return p.err
}

// names lists the parameters that a call has.
func (p *params) names() string {
	if len(p.known) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(slices.Values(p.known)), ", ")
}

// maxShown bounds how much of a request a message repeats, in bytes.
const maxShown = 80

func quote(s string) string {
	if len(s) > maxShown {
		return strconv.Quote(s[:maxShown]) + "..."
	}
	return strconv.Quote(s)
}

// noParameters is the request of a call that has none.
type noParameters struct{}

func decodeNothing(c call) (noParameters, error) {
	return noParameters{}, parseParams(c.query).finish()
}

func decodeIndex(c call) (string, error) {
	p := parseParams(c.query)
	index := p.required("index")
	return index, p.finish()
}

// checkLimit checks the limit of a part of a body, and sets its default.
func checkLimit(limit *int) error {
	switch {
	case *limit < 0 || *limit > api.MaxLimit:
		return invalid("\"limit\" is %d, want 1 to %d", *limit, api.MaxLimit)
	case *limit == 0:
		*limit = api.DefaultLimit
	}
	return nil
}
