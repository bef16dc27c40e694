// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// Invalid returns the error that a request is malformed.
func Invalid(format string, args ...any) error {
	return &api.Error{Code: api.CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// Params are the parameters after the question mark. Decoders take the ones they know, and then
// call Finish. A parameter that nobody took is an error, so that a misspelt one is not silently
// ignored.
type Params struct {
	list  []Param
	known []string
	err   error // the first one
}

// Param is one parameter.
type Param struct {
	Name, Value string
	taken       bool
}

// ParseParams splits a query string. url.ParseQuery drops what it cannot read
// when asked through Request.URL.Query; here it is an error.
func ParseParams(query string) *Params {
	p := &Params{list: make([]Param, 0, 1+strings.Count(query, "&"))}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		n, err := Unescape(name)
		if err != nil {
			p.Fail(Invalid("name of parameter %s: %s", Quote(name), unescapeReason(err)))
		}
		v, err := Unescape(value)
		if err != nil {
			p.Fail(Invalid("parameter %s: %s", Quote(n), unescapeReason(err)))
		}
		p.list = append(p.list, Param{Name: n, Value: v})
	}
	return p
}

// Unescape is url.QueryUnescape, faster for what is not escaped, as most is not.
func Unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	return url.QueryUnescape(s)
}

func unescapeReason(err error) string {
	return strings.TrimPrefix(err.Error(), "invalid ") + " is malformed"
}

// Fail notes an error, unless there is one already.
func (p *Params) Fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Share takes a parameter that is a share, such as 5% or 0.05, and reports whether it is there.
func (p *Params) Share(name string) (share float64, ok bool) {
	text, ok := p.Optional(name)
	if !ok {
		return 0, false
	}
	share, err := tolerance.Parse(text)
	if err != nil {
		p.Fail(Invalid("parameter %q: %s", name, err))
	}
	return share, true
}

// All takes every value of a parameter.
func (p *Params) All(name string) (values []string) {
	p.known = append(p.known, name)
	for i := range p.list {
		if p.list[i].Name == name {
			p.list[i].taken = true
			values = append(values, p.list[i].Value)
		}
	}
	return values
}

// Optional takes a parameter that stands at most once.
func (p *Params) Optional(name string) (value string, ok bool) {
	p.known = append(p.known, name)
	for i := range p.list {
		if p.list[i].Name != name {
			continue
		}
		p.list[i].taken = true
		if ok {
			p.Fail(Invalid("parameter %q is given more than once", name))
		}
		value, ok = p.list[i].Value, true
	}
	return value, ok
}

// Required takes a parameter that stands exactly once.
func (p *Params) Required(name string) string {
	value, ok := p.Optional(name)
	if !ok {
		p.Fail(Invalid("parameter %q is missing", name))
	}
	return value
}

// Limit takes the parameter "limit".
func (p *Params) Limit() (limit int, given bool) {
	text, ok := p.Optional("limit")
	if !ok {
		return api.DefaultLimit, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > api.MaxLimit {
		p.Fail(Invalid("parameter \"limit\" is %s, want 1 to %d", Quote(text), api.MaxLimit))
	}
	return n, true
}

// Part takes "limit", "cursor", "count" and "viewer".
func (p *Params) Part() api.Part {
	limit, limited := p.Limit()
	cursor := p.Cursor()
	part := api.Part{Limit: limit, Cursor: cursor, Count: p.Flag("count")}
	if part.Count && (limited || cursor != "") {
		p.Fail(Invalid("parameter \"count\" is given with \"limit\" or \"cursor\": a count has no pages"))
	}
	viewer, ok := p.Optional("viewer")
	if ok && viewer == "" {
		p.Fail(Invalid("parameter \"viewer\" is empty"))
	}
	part.Viewer = viewer
	return part
}

// Cursor takes "cursor". An empty one would be the first page, which is asked for without.
func (p *Params) Cursor() string {
	cursor, ok := p.Optional("cursor")
	if ok && cursor == "" {
		p.Fail(BadCursor(cursor))
	}
	return cursor
}

// Flag takes a parameter that is true or false.
func (p *Params) Flag(name string) bool {
	text, ok := p.Optional(name)
	if ok && text != "true" && text != "false" {
		p.Fail(Invalid("parameter %q is %s, want true or false", name, Quote(text)))
	}
	return text == "true"
}

// Finish returns the first thing that is wrong with the parameters, an unknown
// one before all others: it is why another is missing.
func (p *Params) Finish() error {
	for _, one := range p.list {
		if !one.taken {
			return Invalid("unknown parameter %s; known are: %s", Quote(one.Name), p.names())
		}
	}
	return p.err
}

// names lists the parameters that a call has.
func (p *Params) names() string {
	if len(p.known) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(slices.Values(p.known)), ", ")
}

// maxShown bounds how much of a request a message repeats, in bytes.
const maxShown = 80

// Quote returns a client's text in quotes, cut after the first part if it is long.
func Quote(s string) string {
	if len(s) > maxShown {
		return strconv.Quote(s[:maxShown]) + "..."
	}
	return strconv.Quote(s)
}

// NoParameters is the request of a call that has none.
type NoParameters struct{}

// DecodeNothing reads a call without parameters.
func DecodeNothing(c Request) (NoParameters, error) {
	return NoParameters{}, ParseParams(c.Query).Finish()
}

// DecodeIndex reads a call that has the name of an index, and nothing else.
func DecodeIndex(c Request) (string, error) {
	p := ParseParams(c.Query)
	index := p.Required("index")
	return index, p.Finish()
}

// CheckLimit checks the limit of a part of a body, and sets its default.
func CheckLimit(limit *int) error {
	switch {
	case *limit < 0 || *limit > api.MaxLimit:
		return Invalid("\"limit\" is %d, want 1 to %d", *limit, api.MaxLimit)
	case *limit == 0:
		*limit = api.DefaultLimit
	}
	return nil
}
