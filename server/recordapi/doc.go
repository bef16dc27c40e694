// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package recordapi has the calls that write and read whole records of an index: put, merge, clear
// and delete on conditions, look-ups by key, and sorted lists. A handler reads a request, asks the
// database, and writes a reply.
package recordapi

import (
	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// Handlers answers the calls about records.
type Handlers struct {
	db      *uproar.DB
	streams *streaming.Streams
}

// New returns the handlers of a database. Their streams are counted with those of others.
func New(db *uproar.DB, streams *streaming.Streams) *Handlers { return &Handlers{db, streams} }

// Endpoints lists the calls about records.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Post(writePath, "records-write", call.Bind(decodeWrite, h.write)),
		call.Post(getPath, "records-get", call.Bind(decodeGet, h.get)),
		call.Post(findPath, "records-find", call.Bind(decodeFind, h.find)),
	}
}
