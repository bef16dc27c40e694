// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/audienceapi"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/catalogapi"
	"github.com/uproar-db/uproar/server/compat/constellation"
	"github.com/uproar-db/uproar/server/compat/graphd"
	"github.com/uproar-db/uproar/server/compat/prices"
	"github.com/uproar-db/uproar/server/compat/rsky"
	"github.com/uproar-db/uproar/server/console"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/indexapi"
	"github.com/uproar-db/uproar/server/likesapi"
	"github.com/uproar-db/uproar/server/recordapi"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/server/standingapi"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/server/upload"
	"golang.org/x/sync/semaphore"
)

// New returns a server of a database. The database must stay open while the server runs, and the
// server does not close it.
//
// Errors: no database, hosts or origins that cannot be, a catalog of Paths.Prices that cannot be
// opened. With Paths.GraphD, Rsky or Constellation, New opens the graph, and fails if the index
// "accounts" is not one. What is not there yet of one of several copies comes later: until then it
// is answered with api.CodeUnavailable. Without GraphD New makes no index.
func New(db *uproar.DB, opts *Options) (*Server, error) {
	if db == nil {
		return nil, errors.New("server: want a database, got nil")
	}
	s := &Server{db: db, opts: opts.withDefaults(), ids: newRequestIDs(),
		backups: upload.Exclusive{What: "backup is being made"},
		uploads: upload.Uploads{Turn: upload.Exclusive{What: "import is under way", Patience: time.Second}}}
	var err error
	if s.callers, err = newCallers(&s.opts, db.ReadOnly() && s.opts.Replica == nil); err != nil {
		return nil, err
	}
	if s.opts.Paths.Prices != "" {
		s.prices = prices.New(db, s.opts.Paths.Prices)
		if err := s.prices.Open(); err != nil && !comes(err, s.opts.Replica) {
			return nil, err
		}
	}
	ill := func() error {
		_, err := s.health(context.Background(), call.NoParameters{})
		return err
	}
	if s.opts.Paths.GraphD {
		s.graph = graphd.New(db, ill)
		if err := s.graph.Open(context.Background()); err != nil && !comes(err, s.opts.Replica) {
			return nil, err
		}
	}
	if s.copy, err = replica.New(s.opts.Replica, s.opts.MaxAge, s.opts.Forward); err != nil {
		return nil, err
	}
	s.bodies = semaphore.NewWeighted(s.opts.BodyBytes)
	s.memory = newAnswerMemory(s.opts.AnswerBytes, s.opts.MaxWait, db.Hold)
	s.encoders = newEncoders()
	s.slow.least = cmp.Or(s.opts.Requests.Slow, slowAtLeast)
	s.limiter = newLimiter(s.opts.MaxConcurrent, s.opts.MaxWaiting, s.opts.MaxWait)
	s.metrics = newMetrics(db, s.limiter)
	s.metrics.registry.MustRegister(newGauge("uproar_writable",
		"1 while nothing is known against the disk, 0 while it lacks room or after a write that it failed.", func() float64 {
			if s.writable(context.Background()) != nil {
				return 0
			}
			return 1
		}))
	s.follows = graphapi.New(db, &s.uploads)
	if s.opts.Paths.Rsky || s.opts.Paths.Constellation {
		s.rsky = rsky.New(db, rsky.Options{Health: ill, Importing: s.follows.Importing, Stream: s.opts.Paths.RskyStream,
			Answered: s.metrics.knownFollowers()})
		if err := s.rsky.Open(context.Background()); err != nil && !comes(err, s.opts.Replica) {
			return nil, err
		}
	}
	for _, f := range s.copy.Figures() {
		s.metrics.registry.MustRegister(newGauge("uproar_copy_"+f.Name, f.Help, f.Value))
	}
	s.routes = s.newRoutes(s.endpoints())
	return s, nil
}

// comes reports whether what could not be opened is to come from another copy.
func comes(err error, of replica.Replica) bool {
	return of != nil && errors.Is(err, &api.Error{Code: api.CodeUnavailable})
}

// endpoints lists every call of this server but /metrics, which is not in JSON, and those of
// other servers.
func (s *Server) endpoints() []call.Endpoint {
	catalogs := catalogapi.New(s.db, &s.uploads, s.memory.mostOf)
	streams := streaming.New(s.opts.MaxStreams)
	return slices.Concat(s.follows.Endpoints(), audienceapi.New(s.db, &s.uploads).Endpoints(),
		catalogs.Endpoints(), indexapi.New(s.db, streams, graphapi.Unfinished).Endpoints(),
		recordapi.New(s.db, streams).Endpoints(),
		standingapi.New(s.db).Endpoints(), likesapi.New(s.db).Endpoints(), s.ownEndpoints())
}

// ownEndpoints are the calls about the server itself, and those of several calls at once.
func (s *Server) ownEndpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Post("/v1/batch", "batch", call.Bind(decodeBatch, s.batch)),
		call.Get(backupPath, "backup", s.backup),
		call.Post(backupPath, "backup", s.backup),
		call.Get("/healthz", "healthz", call.Bind(call.DecodeNothing, s.health)),
		call.Get(readyPath, "readyz", call.Bind(call.DecodeNothing, s.ready)),
		call.Get(clusterPath, "cluster", call.Bind(call.DecodeNothing, s.copy.Cluster)),
		call.Get(slowPath, "slow", call.Bind(call.DecodeNothing, s.slow.answer)),
		call.Post(handOverPath, "handover", call.Bind(call.DecodeNothing, s.copy.HandOver)),
		call.Get(openapiPath, "openapi", call.Bind(call.DecodeNothing, openapi)),
	}
}

// newRoutes binds endpoints to their paths.
func (s *Server) newRoutes(endpoints []call.Endpoint) *routes {
	r := &routes{paths: make(map[string]*route)}
	endpoints = append(endpoints, call.Get(metricsPath, "metrics", call.Bind(call.DecodeNothing, s.metricsText)))
	if s.opts.Profiles {
		endpoints = append(endpoints, s.profileEndpoints()...)
	}
	s.addRoutes(r, nil, append(endpoints, console.Endpoints()...))
	r.paths[metricsPath].methods["GET"].observed = nil // reading the figures does not change them
	unknown := func(_ context.Context, c call.Request) (call.Reply, error) {
		return nil, &api.Error{Code: api.CodeUnknownPath, Message: "unknown path " + call.Quote(c.Path)}
	}
	r.unknown = s.bound(nil, unknown)
	if s.prices != nil {
		s.addRoutes(r, prices.Errors, s.prices.Endpoints())
	}
	if s.opts.Paths.Constellation {
		o := constellation.Options{Graph: s.rsky.Loaded}
		if s.opts.Tokens == nil { // else "/" is where people give theirs
			o.Page = r.paths["/"].methods["GET"].Handle
		}
		s.addRoutes(r, constellation.Errors, constellation.New(o).Endpoints())
		r.outside = s.bound(constellation.Errors, unknown)
	}
	if s.opts.Paths.Rsky {
		s.addRoutes(r, rsky.Errors, s.rsky.Endpoints())
		r.outside = s.bound(rsky.Errors, unknown)
	}
	if s.graph != nil { // last: its health says more than rsky-graph's, and all of it
		s.addRoutes(r, graphd.Errors, s.graph.Endpoints())
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
			always: o.Always || strings.HasPrefix(e.Path, profilePath), streams: o.Streams}
		b.patient = o.Streams || slices.ContainsFunc(o.Params, func(p call.Parameter) bool { return p.Name == "wait" })
		b.ofServer = o.Access == call.AccessPublic || strings.HasPrefix(e.Path, profilePath) ||
			slices.Contains([]string{metricsPath, slowPath, clusterPath, handOverPath}, e.Path)
		b.writes = slices.Contains(o.Errors, api.CodeReadOnly) || d != nil && o.Access == call.AccessWrite
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
		access:   call.AccessRead, always: true, ofServer: true}
}
