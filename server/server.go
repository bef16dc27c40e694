// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package server serves a database over HTTP and JSON: the graph of follows
// under /v1/graph/, queries of any index under /v1/query, health under /healthz
// and Prometheus metrics under /metrics. docs/http.md describes every call.
//
// # How it is built
//
// Package call is the vocabulary: an endpoint is a handler with its method, path and name; a
// handler is a function of a context and a decoded request that returns a reply or an error, and
// knows nothing of HTTP. Packages graphapi, audienceapi, catalogapi, indexapi, recordapi and
// standingapi have the handlers, and those below compat the calls of other servers. Package api has
// the requests and replies. Each endpoint but those of compat has an operation, as in
// server/indexapi/operation.go: which token may call it, and what openapi.json says of it.
//
// A request goes from serve.go (fasthttp) or http.go (net/http) to respond.go, which finds its
// route, asks whether its caller may (caller.go, tokens.go), waits for its turn (limiter.go), reads
// its body (limiter.go) and runs its handler. Package transport counts connections, and
// judges requests before fasthttp reads them.
//
// # Limits
//
// Every request has a deadline, every page and every body a largest size, and
// every connection timeouts. A handler that panics answers 500 and is logged; the
// server goes on.
package server

import (
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/compat/graphd"
	"github.com/uproar-db/uproar/server/compat/prices"
	"github.com/uproar-db/uproar/server/compat/rsky"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/server/upload"
	"golang.org/x/sync/semaphore"
)

// Server answers requests about one database. Safe for concurrent use.
type Server struct {
	// AlsoReady, if set before Serve, has /readyz fail with its error: that of another server of
	// the same process.
	AlsoReady func() error

	graph    *graphd.Handlers // nil without Paths.GraphD
	rsky     *rsky.Handlers   // nil without Paths.Rsky and Constellation
	follows  *graphapi.Handlers
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
	prices   *prices.Handlers // nil: Paths.Prices is empty
	memory   *answerMemory
	copy     *replica.Copy // nil: the database has no others
	limiter  *limiter
	slow     slowRequests
	asked    atomic.Uint64 // requests; some are logged, see RequestLog
}
