// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/uproar-db/uproar/server/call"
)

// routes finds the endpoint of a request. Paths are exact: one look-up finds them.
type routes struct {
	paths   map[string]*route
	unknown *bound // answers for paths that there are not
	outside *bound // answers for those of them outside of /v1/ as GraphD or rsky-graph does; nil: unknown does
}

// route is the endpoints of one path, by method.
type route struct {
	path    string
	methods map[string]*bound
	allow   string // header Allow
	others  *bound // answers every other method
}

// bound is an endpoint with the form of its errors and its metrics.
type bound struct {
	call.Endpoint
	errorFormat *call.ErrorFormat // nil: docs/http.md's own
	observed    *endpointMetrics  // nil: not counted
	access      call.Access       // what a token must allow
	always      bool              // answered whatever else there is to do
	ofServer    bool              // about the server: answered however old its copy of the database is
	alone       bool              // no call of a batch
	writes      bool              // only the copy that leads can do it
	streams     bool              // the endpoint reads its body itself
	patient     bool              // it takes as long as somebody else takes
}

// at returns the route of a path that needs no decoding, nil if there is none.
func (r *routes) at(path []byte) *route { return r.paths[string(path)] }

// find returns the endpoint that answers a request, and the header Allow if it refuses the method.
// at is what at has found for the path, if it was asked.
func (r *routes) find(method, path string, at *route) (e *bound, allow string) {
	ok := at != nil
	if !ok {
		at, ok = r.paths[path]
	}
	if !ok && strings.IndexByte(path, '%') >= 0 {
		if plain, err := url.PathUnescape(path); err == nil {
			at, ok = r.paths[plain]
		}
	}
	switch {
	case !ok && r.outside != nil && !strings.HasPrefix(path, "/v1/"):
		return r.outside, ""
	case !ok:
		return r.unknown, ""
	}
	if e, ok := at.methods[method]; ok {
		return e, ""
	}
	return at.others, at.allow
}

// target splits what stands in the first line of a request into path and query. The route is nil
// when the path has none as it stands there.
func (s *Server) target(uri []byte) (path, query string, at *route) {
	if len(uri) > 0 && uri[0] != '/' { // the absolute form, of proxies
		if u, err := url.Parse(string(uri)); err == nil {
			return u.EscapedPath(), u.RawQuery, nil
		}
	}
	before, after, _ := bytes.Cut(uri, []byte("?"))
	if at = s.routes.at(before); at != nil {
		return at.path, string(after), at
	}
	return string(before), string(after), nil
}

// methodOf returns a method as a string, which for the most frequent ones is no new one.
func methodOf(method []byte) string {
	switch string(method) {
	case "GET":
		return "GET"
	case "POST":
		return "POST"
	}
	return string(method)
}

// mediaOf returns a content type as a string, which for the most frequent ones is no new one.
func mediaOf(media []byte) string {
	if string(media) == call.ContentJSON {
		return call.ContentJSON
	}
	return string(media)
}
