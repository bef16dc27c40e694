// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"net/url"
	"time"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// jetstream is the first form of Jetstream. It does not tell when all records of an account are
// void, so a graph that follows it does not stay exact.
type jetstream struct{ server }

// Connect goes on at a position. One that the server no longer has it moves without a word, which
// the first event shows: it is not the one of the position.
func (s *jetstream) Connect(ctx context.Context, from int64, resume bool) (live.Stream, error) {
	query := resumed(url.Values{"wantedCollections": collections()}, from, resume)
	c, err := s.dial(ctx, s.at("/subscribe", query))
	if err != nil {
		return nil, err
	}
	return &jetstreamEvents{connection: c, name: s.name, from: from, resumed: resume}, nil
}

// jetstreamEvents reads one connection.
type jetstreamEvents struct {
	*connection
	name    string
	from    int64
	resumed bool // the first event must be that at from
}

// Next waits for an event.
func (s *jetstreamEvents) Next(ctx context.Context) (live.Event, error) {
	frame, err := s.frame(ctx)
	if err != nil {
		return live.Event{}, err
	}
	e := readJetstream(frame)
	if s.resumed && e.Position != 0 {
		if e.Position != s.from {
			return e, &live.GapError{Source: s.name, Want: s.from, Got: e.Position}
		}
		s.resumed = false
	}
	return e, nil
}

// readJetstream reads a frame. The position is the server's own number, or the time in
// microseconds: servers know both apart by their size.
func readJetstream(frame []byte) (e live.Event) {
	var f struct {
		Account string   `json:"did"`
		Time    int64    `json:"time_us"`
		Cursor  int64    `json:"cursor"`
		Kind    string   `json:"kind"`
		Commit  *commit  `json:"commit"`
		State   *account `json:"account"`
	}
	if unmarshal(frame, &f) != nil || f.Time < 0 || f.Cursor < 0 {
		return live.Event{Skip: live.BadFrame}
	}
	e = live.Event{Account: f.Account, Position: f.Cursor, Time: time.UnixMicro(f.Time)}
	if e.Position == 0 {
		e.Position = f.Time
	}
	switch {
	case f.Kind == "commit" && f.Commit != nil:
		f.Commit.put(&e)
	case f.Kind == "account" && f.State != nil:
		f.State.put(&e)
	case f.Kind == "commit" || f.Kind == "account":
		e.Skip = live.BadFrame
	default:
		e.Skip = live.OtherKind
	}
	return e
}
