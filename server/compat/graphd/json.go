// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/server/call"
)

// appendGraphD appends a text as GraphD does: as JSON that is safe within HTML.
func appendGraphD(dst []byte, s string) []byte {
	b, _ := json.Marshal(s) // of a string it never fails
	return append(dst, b...)
}

// lenientParams are parameters as GraphD reads them: what is malformed or unknown is passed over,
// and of several values the first counts.
type lenientParams []call.Param

func lenient(query string) lenientParams {
	list := make(lenientParams, 0, 1+strings.Count(query, "&"))
	for part, rest := "", query; rest != ""; {
		part, rest, _ = strings.Cut(rest, "&")
		name, value, _ := strings.Cut(part, "=")
		if part == "" || strings.IndexByte(part, ';') >= 0 {
			continue
		}
		n, err := call.Unescape(name)
		if err != nil {
			continue
		}
		v, err := call.Unescape(value)
		if err != nil {
			continue
		}
		list = append(list, call.Param{Name: n, Value: v})
	}
	return list
}

// first returns the first value of a parameter, "" if there is none.
func (l lenientParams) first(name string) string {
	for i := range l {
		if l[i].Name == name {
			return l[i].Value
		}
	}
	return ""
}

func (l lenientParams) has(name string) bool {
	return slices.ContainsFunc(l, func(p call.Param) bool { return p.Name == name })
}

func (l lenientParams) all(name string) (values []string) {
	for i := range l {
		if l[i].Name == name {
			values = append(values, l[i].Value)
		}
	}
	return values
}
