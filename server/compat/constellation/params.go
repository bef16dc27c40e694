// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"encoding/binary"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/server/call"
)

// Limits of a page.
const (
	defaultLimit = 100
	maxLimit     = 1000
)

// params are the parameters of a question. Those that nobody asks for are passed over.
type params struct {
	values url.Values
	err    error // the first one
}

func parse(query string) *params {
	values, err := url.ParseQuery(query)
	p := &params{values: values}
	if err != nil {
		p.err = failure(400, "Failed to deserialize query string: "+err.Error())
	}
	return p
}

// fail notes an error, unless there is one already.
func (p *params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// optional returns a parameter that stands at most once.
func (p *params) optional(name string) (value string, ok bool) {
	all := p.values[name]
	if len(all) > 1 {
		p.fail(failure(400, "Failed to deserialize query string: duplicate field `"+name+"`"))
	}
	if len(all) == 0 {
		return "", false
	}
	return all[0], true
}

// required returns a parameter that stands once.
func (p *params) required(name string) string {
	value, ok := p.optional(name)
	if !ok {
		p.fail(failure(400, "Failed to deserialize query string: missing field `"+name+"`"))
	}
	return value
}

// limit returns how many entries a page has at most.
func (p *params) limit() int {
	text, ok := p.optional("limit")
	if !ok {
		return defaultLimit
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		p.fail(failure(400, "Failed to deserialize query string: limit: got "+call.Quote(text)+
			", want a number from 0 to "+strconv.Itoa(maxLimit)))
	} else if n > maxLimit {
		p.fail(refusal)
	}
	return int(min(n, maxLimit))
}

// flag returns a parameter that is true or false.
func (p *params) flag(name string) bool {
	text, ok := p.optional(name)
	if ok && text != "true" && text != "false" {
		p.fail(failure(400, "Failed to deserialize query string: "+name+": got "+call.Quote(text)+
			", want true or false"))
	}
	return text == "true"
}

// cursor returns the numbers of a cursor. ok is false if there is none.
func (p *params) cursor(numbers ...*uint64) (ok bool) {
	text, ok := p.optional("cursor")
	if !ok {
		return false
	}
	bytes, err := hex.DecodeString(text)
	if err != nil || len(bytes) != 8*len(numbers) {
		p.fail(refusal)
		return false
	}
	for i, n := range numbers {
		*n = binary.BigEndian.Uint64(bytes[8*i:])
	}
	return true
}

// cursorOf returns the cursor that has some numbers.
func cursorOf(numbers ...uint64) string {
	var bytes []byte
	for _, n := range numbers {
		bytes = binary.BigEndian.AppendUint64(bytes, n)
	}
	return hex.EncodeToString(bytes)
}

// filter returns the values of a repeated parameter, without those that are empty. nil: there are
// none, and nothing is filtered.
func (p *params) filter(name string) map[string]bool {
	var all map[string]bool
	for _, value := range p.values[name] {
		if value = strings.TrimSpace(value); value != "" {
			if all == nil {
				all = make(map[string]bool)
			}
			all[value] = true
		}
	}
	return all
}

// oldFilter is filter for the older calls, which also take the DIDs in one parameter.
func (p *params) oldFilter() map[string]bool {
	all := p.filter("did")
	joined, ok := p.optional("from_dids")
	if !ok {
		return all
	}
	if all != nil {
		p.fail(refusal)
		return nil
	}
	all = make(map[string]bool)
	for did := range strings.SplitSeq(joined, ",") {
		all[did] = true
	}
	return all
}

// source returns the collection and the path of the parameter "source".
func (p *params) source() (collection, path string) {
	text := p.required("source")
	collection, path, ok := strings.Cut(text, ":")
	if !ok {
		p.fail(refusal)
	}
	return collection, "." + path
}
