// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// method names the call of the second form of Jetstream, and its messages.
const method = "network.bsky.jetstream.subscribeEvents"

// jetstream2 is the second form of Jetstream. Any frame that is sent to it ends the connection.
type jetstream2 struct{ server }

// Connect goes on at a position, or is told that it is gone.
func (s *jetstream2) Connect(ctx context.Context, from int64, resume bool) (live.Stream, error) {
	query := resumed(url.Values{"kinds": {"commit", "account", "sync"}, "collections": collections()}, from, resume)
	c, err := s.dial(ctx, s.at("/xrpc/"+method, query))
	if r := (*refusal)(nil); errors.As(err, &r) && resume && aboutCursor(r.Code) {
		return nil, &live.GapError{Source: s.name, Want: from}
	}
	if err != nil {
		return nil, err
	}
	return &jetstream2Events{connection: c, name: s.name, from: from, resumed: resume}, nil
}

// aboutCursor reports whether an error of the server says that it does not have the position.
func aboutCursor(code string) bool { return code == "CursorTooOld" || code == "FutureCursor" }

// jetstream2Events reads one connection.
type jetstream2Events struct {
	*connection
	name    string
	from    int64
	resumed bool // no event may be before from
}

// Next waits for an event.
func (s *jetstream2Events) Next(ctx context.Context) (live.Event, error) {
	frame, err := s.frame(ctx)
	if err != nil {
		return live.Event{}, err
	}
	e, err := readJetstream2(frame)
	if f := (*frameError)(nil); errors.As(err, &f) && s.resumed && aboutCursor(f.code) {
		return e, &live.GapError{Source: s.name, Want: s.from}
	}
	if err != nil {
		return e, err
	}
	if s.resumed && e.Position != 0 {
		if e.Position < s.from { // the numbers began anew: it is another server
			return e, &live.GapError{Source: s.name, Want: s.from, Got: e.Position}
		}
		s.resumed = false
	}
	return e, nil
}

// frameError is an error that the server sent as its last frame.
type frameError struct{ code, text string }

func (e *frameError) Error() string {
	return fmt.Sprintf("live: the server ended the connection: %.200q %.200q", e.code, e.text)
}

// readJetstream2 reads a frame. The error is a *frameError.
func readJetstream2(frame []byte) (e live.Event, err error) {
	var f struct {
		Type    string `json:"$type"`
		Code    string `json:"error"`
		Text    string `json:"message"`
		Payload struct {
			Type    string    `json:"$type"`
			Seq     int64     `json:"seq"`
			Account string    `json:"did"`
			Time    time.Time `json:"time"`
			commit
			State *account `json:"account"`
			Sync  *struct {
				Rev string `json:"rev"`
			} `json:"sync"`
		} `json:"payload"`
	}
	if unmarshal(frame, &f) != nil || f.Payload.Seq < 0 {
		return live.Event{Skip: live.BadFrame}, nil
	}
	switch f.Type {
	case "error":
		return e, &frameError{f.Code, f.Text}
	case "message":
	default:
		return live.Event{Skip: live.OtherKind}, nil
	}
	p := &f.Payload
	e = live.Event{Account: p.Account, Position: p.Seq, Time: p.Time}
	kind, _ := strings.CutPrefix(p.Type, method+"#")
	switch {
	case kind == "commit":
		p.commit.put(&e)
	case kind == "account" && p.State != nil:
		p.State.put(&e)
	case kind == "sync" && p.Sync != nil && e.Position > 0:
		e.Kind, e.Rev = live.Sync, p.Sync.Rev
	case kind == "account" || kind == "sync":
		e.Skip = live.BadFrame
	default:
		e.Skip = live.OtherKind
	}
	return e, nil
}
