// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/upload"
)

// graphCalls answers the calls about the graph.
type graphCalls struct {
	graph   *graph.Graph
	uploads *upload.Uploads
}

// audienceCalls answers the calls about audiences.
type audienceCalls struct{ db *uproar.DB }

// catalogCalls answers the calls about catalogs.
type catalogCalls struct {
	db       *uproar.DB
	uploads  *upload.Uploads
	mostOf   func(questions int) int // bytes of so many answers
	catalogs sync.Map                // *catalog.Catalog by name, of those that were asked
}

// indexCalls answers the calls about any index.
type indexCalls struct{ db *uproar.DB }

// graphdCalls answers the calls of GraphD.
type graphdCalls struct {
	graph  *graph.Graph
	health func() error
}

// pricesCalls answers the calls of bitmap-usage.
type pricesCalls struct{ prices *catalog.Catalog }
