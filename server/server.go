// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
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
	asked    atomic.Uint64 // requests; every LogRequests-th is logged
}
