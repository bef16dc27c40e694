// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/compat/graphd"
	"github.com/uproar-db/uproar/server/compat/prices"
)

// routes finds the endpoint of a request. Paths are exact: one look-up finds them.
type routes struct {
	paths   map[string]*route
	unknown *bound // answers for paths that there are not
	outside *bound // answers for those of them outside of /v1/ as GraphD does; nil: unknown does
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
	alone       bool              // no call of a batch
	streams     bool              // the endpoint reads its body itself
}

const metricsPath = "/metrics"

// newRoutes binds endpoints to their paths.
func (s *Server) newRoutes(endpoints []call.Endpoint) *routes {
	r := &routes{paths: make(map[string]*route)}
	endpoints = append(endpoints, call.Get(metricsPath, "metrics", call.Bind(call.DecodeNothing, s.metricsText)))
	if s.opts.Profiles {
		endpoints = append(endpoints, s.profileEndpoints()...)
	}
	s.addRoutes(r, nil, endpoints)
	r.paths[metricsPath].methods["GET"].observed = nil // reading the figures does not change them
	unknown := func(_ context.Context, c call.Request) (call.Reply, error) {
		return nil, &api.Error{Code: api.CodeUnknownPath, Message: "unknown path " + call.Quote(c.Path)}
	}
	r.unknown = s.bound(nil, unknown)
	if s.prices != nil {
		s.addRoutes(r, prices.Errors, prices.New(s.prices).Endpoints())
	}
	if s.opts.GraphD {
		health := func() error {
			_, err := s.health(context.Background(), call.NoParameters{})
			return err
		}
		s.addRoutes(r, graphd.Errors, graphd.New(s.graph, health).Endpoints())
		r.outside = s.bound(graphd.Errors, unknown)
	}
	return r
}

// addRoutes adds endpoints whose errors have one form. Every answer is JSON, so each path also
// takes the methods that it does not have.
func (s *Server) addRoutes(r *routes, d *call.ErrorFormat, endpoints []call.Endpoint) {
	added := make(map[string]*route)
	for _, e := range endpoints {
		at := added[e.Path]
		if at == nil {
			at = &route{path: e.Path, methods: make(map[string]*bound)}
			added[e.Path] = at
		}
		o := operationOf(e.Method, e.Path)
		if d != nil {
			o.Access, o.Always = d.Access(e)
		}
		b := &bound{Endpoint: e, errorFormat: d, observed: s.metrics.endpoint(e.Name), access: o.Access,
			always: o.Always ||
				strings.HasPrefix(e.Path, profilePath), streams: o.Streams}
		b.alone = b.always || b.access == call.AccessWrite
		at.methods[e.Method] = b
		if e.Method == "GET" {
			at.methods["HEAD"] = b
		}
	}
	for path, at := range added {
		at.allow = strings.Join(slices.Sorted(maps.Keys(at.methods)), ", ")
		refused := &api.Error{Code: api.CodeMethodNotAllowed, Message: "this path has only the methods " + at.allow}
		at.others = s.bound(d, func(context.Context, call.Request) (call.Reply, error) { return nil, refused })
		r.paths[path] = at
	}
}

// bound is what answers requests that are for no endpoint.
func (s *Server) bound(d *call.ErrorFormat, handle call.Handler) *bound {
	return &bound{Endpoint: call.Endpoint{Name: "other", Handle: handle}, errorFormat: d,
		observed: s.metrics.endpoint("other"),
		access:   call.AccessRead, always: true}
}

// at returns the route of a path that needs no decoding, nil if there is none.
func (r *routes) at(path []byte) *route { return r.paths[string(path)] }

// find returns the endpoint that answers a request, and the header Allow if it is one that refuses
// the method. at is what at has found for the path, if it was asked.
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
