// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "time"

// StandingRequest makes a query of an index stand under a name.
type StandingRequest struct {
	Index string `json:"index"`
	Name  string `json:"name"`
	Query string `json:"q"`
}

// StandingDropRequest ends the standing query of a name.
type StandingDropRequest struct {
	Index string `json:"index"`
	Name  string `json:"name"`
}

// StandingQuery is a query whose result is kept.
type StandingQuery struct {
	Name    string `json:"name"`
	Query   string `json:"q"`
	Records uint64 `json:"records"`
	// the commit of the index that the records are of; 0: it was not asked yet, or not of the index
	// that an alias has moved to
	AsOf  uint64 `json:"as_of"`
	Error string `json:"error,omitempty"` // why it cannot be asked any more: its records stay as they are
}

// StandingReply is the standing queries of an index, by name; after one was set, that one alone.
type StandingReply struct {
	Queries []StandingQuery `json:"queries"`
}

// AppendJSON appends the reply.
func (r StandingReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// StandingEventsRequest asks what entered and left a standing query behind a position.
type StandingEventsRequest struct {
	Index, Name string
	After       uint64
	Limit       int           // events at most; 0: 100
	Wait        time.Duration // how long to wait for an event
}

// StandingEvent is what one commit has changed in a standing query.
type StandingEvent struct {
	Position uint64 `json:"position"` // to go on behind this event
	// the commit of the index whose records these are; 0: more comes of it, unless it has an error
	AsOf    uint64   `json:"as_of"`
	Entered []string `json:"entered"`
	Left    []string `json:"left"`
	// why it cannot be asked any more: its records stay those as of AsOf (0: none)
	Error string `json:"error,omitempty"`
}

// StandingEventsReply is some events, and the position to go on behind.
type StandingEventsReply struct {
	Events []StandingEvent `json:"events"`
	More   bool            `json:"more,omitempty"` // the time or the reply was full before all was read
	Last   uint64          `json:"last"`
}

// AppendJSON appends the event.
func (e StandingEvent) AppendJSON(dst []byte) []byte { return appendValue(dst, e) }

// AppendJSON appends the reply.
func (r StandingEventsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
