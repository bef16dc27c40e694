// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/server/call"
)

// origins are the sites whose pages may ask the server (CORS, https://fetch.spec.whatwg.org).
type origins struct {
	all  bool
	list []string // as browsers write them: scheme://host, and the port unless it is the scheme's own
}

// newOrigins checks a list of origins. "*" stands for all; it is refused where every page could
// write.
func newOrigins(list []string, writable bool) (o origins, err error) {
	for _, text := range list {
		if text == "*" {
			if writable {
				return o, fmt.Errorf("server: origin \"*\" without tokens would let every page in a browser write: " +
					"want tokens, a database that is only read, or names of sites")
			}
			o.all = true
			continue
		}
		u, err := url.Parse(strings.ToLower(text))
		if err != nil || u.Scheme == "" || u.Hostname() == "" || u.User != nil ||
			strings.TrimRight(u.Scheme+"://"+u.Host, "/") != strings.ToLower(text) || strings.Contains(u.Host, "*") {
			return o, fmt.Errorf("server: origin %s: want *, or a site such as https://app.example.com, without a path",
				call.Quote(text))
		}
		if u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" {
			u.Host = u.Host[:strings.LastIndexByte(u.Host, ':')]
		}
		o.list = append(o.list, u.Scheme+"://"+u.Host)
	}
	return o, nil
}

// some reports whether there are any.
func (o *origins) some() bool { return o.all || len(o.list) > 0 }

// allow returns what an answer to a page of an origin says that it may be read by.
func (o *origins) allow(origin string) (header string, ok bool) {
	switch {
	case origin == "":
		return "", false
	case slices.Contains(o.list, origin):
		return origin, true
	case o.all:
		return "*", true
	}
	return "", false
}
