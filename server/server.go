// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
)

// Server answers requests about one database. Safe for concurrent use.
type Server struct {
	graph    *graph.Graph // nil: the database has none, and is only read
	db       *uproar.DB
	opts     Options
	metrics  *metrics
	ids      requestIDs
	buffers  buffers             // of replies
	rooms    buffers             // of small bodies
	bodies   *semaphore.Weighted // bytes of large bodies that may be worked on
	routes   *routes
	callers  callers
	encoders encoders
	trouble  trouble
	backups  exclusive
	imports  exclusive
	prices   *catalog.Catalog // nil: Options.Prices is empty
	memory   *answerMemory
	limiter  *limiter
	catalogs sync.Map      // *catalog.Catalog by name, of those that were asked
	asked    atomic.Uint64 // requests, of which every LogRequests-th is logged
}

// New returns a server of a database, which must stay open while it serves, and is not closed by
// it. The index of the graph is made if there is none; a database that is only read is served
// without the graph's calls then. The error is about arguments that are missing, hosts and origins
// that cannot be, an index "accounts" that is no graph, or the catalog of Options.Prices.
func New(db *uproar.DB, opts *Options) (*Server, error) {
	if db == nil {
		return nil, errors.New("server: want a database, got nil")
	}
	s := &Server{db: db, opts: opts.withDefaults(), ids: newRequestIDs(),
		backups: exclusive{what: "backup is being made"}, imports: exclusive{what: "import is under way"}}
	var err error
	if s.graph, err = graph.Open(context.Background(), db); err != nil && !errors.Is(err, uproar.ErrReadOnly) {
		return nil, err
	}
	if s.callers, err = newCallers(&s.opts, db.ReadOnly()); err != nil {
		return nil, err
	}
	if s.opts.Prices != "" {
		if s.prices, err = openPrices(db, s.opts.Prices); err != nil {
			return nil, err
		}
	}
	s.bodies = semaphore.NewWeighted(s.opts.BodyBytes)
	s.memory = newAnswerMemory(s.opts.AnswerBytes, s.opts.MaxWait, db.Hold)
	s.encoders = newEncoders()
	s.limiter = newLimiter(s.opts.MaxConcurrent, s.opts.MaxWaiting, s.opts.MaxWait)
	s.metrics = newMetrics(db, s.limiter)
	s.metrics.registry.MustRegister(newGauge("uproar_writable",
		"1 while nothing is known against the disk, 0 after a write that it refused or failed.", func() float64 {
			if s.writable(context.Background()) != nil {
				return 0
			}
			return 1
		}))
	s.routes = s.newRoutes(s.endpoints())
	return s, nil
}

// endpoints lists every call of this server but /metrics, which is not in JSON, and those of
// GraphD.
func (s *Server) endpoints() []endpoint {
	all := slices.Concat(s.audienceEndpoints(), s.catalogEndpoints(), s.fieldEndpoints(), s.indexEndpoints())
	if s.graph != nil {
		all = append(all, s.graphEndpoints()...)
	}
	return all
}

// graphEndpoints are the calls about the graph.
func (s *Server) graphEndpoints() []endpoint {
	return []endpoint{
		{"GET", "/v1/graph/followers", "followers", bind(decodeAccount, s.followers)},
		{"GET", "/v1/graph/following", "following", bind(decodeAccount, s.following)},
		{"GET", "/v1/graph/mutuals", "mutuals", bind(decodeAccount, s.mutuals)},
		{"GET", "/v1/graph/follows", "follows", bind(decodeProbe, s.follows)},
		{"GET", "/v1/graph/follows-following", "follows-following", bind(decodePair, s.followsFollowing)},
		{"GET", "/v1/graph/intersect-followers", "intersect-followers", bind(decodeIntersect, s.intersectFollowers)},
		{"GET", "/v1/graph/intersect-following", "intersect-following", bind(decodeIntersect, s.intersectFollowing)},
		{"POST", "/v1/graph/follow", "follow", bind(decodeFollows, s.follow)},
		{"POST", "/v1/graph/unfollow", "unfollow", bind(decodeFollows, s.unfollow)},
		{"GET", "/v1/graph/mutuals-following", "mutuals-following", bind(decodePair, s.mutualsFollowing)},
		{"GET", "/v1/graph/reach", "reach", bind(decodeAccount, s.reach)},
		{"GET", "/v1/graph/suggestions", "suggestions", bind(decodeSuggestions, s.suggestions)},
		{"GET", "/v1/graph/similar", "similar", bind(decodeSimilar, s.similar)},
		{"GET", "/v1/graph/blocks", "blocks", s.targets(graph.Blocks)},
		{"GET", "/v1/graph/blockers", "blockers", s.sources(graph.Blocks)},
		{"GET", "/v1/graph/mutes", "mutes", s.targets(graph.Mutes)},
		{"GET", "/v1/graph/muters", "muters", s.sources(graph.Mutes)},
		{"GET", "/v1/graph/members", "members", s.targets(graph.Members)},
		{"GET", "/v1/graph/lists", "lists", s.sources(graph.Members)},
		{"POST", "/v1/graph/lookup", "lookup", bind(decodeBody[api.LookupRequest], s.lookup)},
		{"POST", "/v1/graph/write", "write", bind(decodeWrite, s.write)},
		{"POST", importPath, "import", s.importEdges},
		{"GET", "/v1/graph/position", "position", bind(decodeStream, s.position)},
	}
}

// indexEndpoints are the calls about any index, and about the server.
func (s *Server) indexEndpoints() []endpoint {
	return []endpoint{
		{"POST", "/v1/batch", "batch", bind(decodeBatch, s.batch)},
		{"GET", "/v1/changes", "changes", bind(decodeChanges, s.changes)},
		{"GET", "/v1/query", "query", bind(decodeQuery, s.query)},
		{"POST", "/v1/query", "query", bind(decodeQueryBody, s.query)},
		{"POST", "/v1/answers", "answers", bind(decodeAnswers, s.answers)},
		{"POST", "/v1/save", "save", bind(decodeSave, s.save)},
		{"GET", backupPath, "backup", s.backup},
		{"POST", backupPath, "backup", s.backup},
		{"GET", "/healthz", "healthz", bind(decodeNothing, s.health)},
		{"GET", readyPath, "readyz", bind(decodeNothing, s.ready)},
		{"GET", openapiPath, "openapi", bind(decodeNothing, s.openapi)},
	}
}
