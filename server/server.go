// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/audienceapi"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/catalogapi"
	"github.com/uproar-db/uproar/server/compat/prices"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/indexapi"
	"github.com/uproar-db/uproar/server/upload"
	"golang.org/x/sync/semaphore"
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
	backups  upload.Exclusive
	uploads  upload.Uploads
	prices   *catalog.Catalog // nil: Options.Prices is empty
	memory   *answerMemory
	limiter  *limiter
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
		backups: upload.Exclusive{What: "backup is being made"}, uploads: upload.Uploads{Turn: upload.Exclusive{What: "import is under way"}}}
	var err error
	if s.graph, err = graph.Open(context.Background(), db); err != nil && !errors.Is(err, uproar.ErrReadOnly) {
		return nil, err
	}
	if s.callers, err = newCallers(&s.opts, db.ReadOnly()); err != nil {
		return nil, err
	}
	if s.opts.Prices != "" {
		if s.prices, err = prices.Open(db, s.opts.Prices); err != nil {
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
func (s *Server) endpoints() []call.Endpoint {
	catalogs := catalogapi.New(s.db, &s.uploads, s.memory.mostOf)
	all := slices.Concat(audienceapi.New(s.db).Endpoints(), catalogs.Endpoints(), indexapi.New(s.db).Endpoints(), s.ownEndpoints())
	if s.graph != nil {
		all = append(all, graphapi.New(s.graph, &s.uploads).Endpoints()...)
	}
	return all
}

// ownEndpoints are the calls about the server itself, and those of several calls at once.
func (s *Server) ownEndpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Post("/v1/batch", "batch", call.Bind(decodeBatch, s.batch)),
		call.Get(backupPath, "backup", s.backup),
		call.Post(backupPath, "backup", s.backup),
		call.Get("/healthz", "healthz", call.Bind(call.DecodeNothing, s.health)),
		call.Get(readyPath, "readyz", call.Bind(call.DecodeNothing, s.ready)),
		call.Get(openapiPath, "openapi", call.Bind(call.DecodeNothing, s.openapi)),
	}
}
