// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// follow is one follow of GraphD's bodies.
type follow struct {
	Actor  string `json:"actor_did"`
	Target string `json:"target_did"`
}

// decodeOne reads the body of /follow and /unfollow. GraphD repeats the DID in the errors of the
// former only.
func decodeOne(c call.Request, undo bool) ([]follow, error) {
	var f follow
	if err := decodeJSON(c, &f); err != nil {
		return nil, err
	}
	for _, x := range [...]struct{ role, did string }{{"actor", f.Actor}, {"target", f.Target}} {
		reason := checkDID(x.did)
		switch {
		case reason != "" && undo:
			return nil, failure(400, "invalid %s did: %s", x.role, reason)
		case reason != "":
			return nil, failure(400, "invalid %s did %q: %s", x.role, x.did, reason)
		}
	}
	return []follow{f}, nil
}

func decodeFollows(c call.Request, _ bool) ([]follow, error) {
	var body struct {
		Follows []follow `json:"follows"`
	}
	if err := decodeJSON(c, &body); err != nil {
		return nil, err
	}
	return body.Follows, checkDIDs(body.Follows)
}

func decodeUnfollows(c call.Request, _ bool) ([]follow, error) {
	var body struct {
		Unfollows []follow `json:"unfollows"`
	}
	if err := decodeJSON(c, &body); err != nil {
		return nil, err
	}
	return body.Unfollows, checkDIDs(body.Unfollows)
}

// checkDIDs checks all DIDs of a list before anything is written.
func checkDIDs(list []follow) error {
	for i, f := range list {
		if reason := checkDID(f.Actor); reason != "" {
			return failure(400, "invalid actor did[%d]: %s", i, reason)
		}
		if reason := checkDID(f.Target); reason != "" {
			return failure(400, "invalid target did[%d]: %s", i, reason)
		}
	}
	return nil
}

// decodeJSON reads a body as GraphD's framework does: members that are not known are passed over,
// and so is what stands after the object. Nothing at all is an empty object.
func decodeJSON(c call.Request, to any) error {
	if c.BodyErr != nil {
		return c.BodyErr
	}
	if len(c.Body) == 0 {
		return nil
	}
	if !strings.HasPrefix(c.ContentType, "application/json") {
		return failure(400, "invalid body: code=415, message=Unsupported Media Type")
	}
	err := json.NewDecoder(bytes.NewReader(c.Body)).Decode(to)
	if err == nil {
		return nil
	}
	message := err.Error()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		message = fmt.Sprintf("Syntax error: offset=%d, error=%v", syntax.Offset, err)
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		message = fmt.Sprintf("Unmarshal type error: expected=%v, got=%v, field=%v, offset=%v", mismatch.Type,
			mismatch.Value, mismatch.Field, mismatch.Offset)
	}
	return failure(400, "invalid body: code=400, message=%s, internal=%v", message, err)
}

// checkDID returns what is wrong with an identifier by the syntax of the AT Protocol, or "". The
// syntax is did:METHOD:IDENTIFIER. METHOD is lower-case letters; IDENTIFIER is letters, digits and
// ._:%- without : or % at the end.
func checkDID(did string) string {
	const syntax = "DID syntax didn't validate via regex"
	switch {
	case did == "":
		return "expected DID, got empty string"
	case len(did) > 2048:
		return "DID is too long (2048 chars max)"
	case len(did) > graph.MaxAccount:
		return fmt.Sprintf("DID is too long (%d chars max)", graph.MaxAccount)
	}
	rest, ok := strings.CutPrefix(did, "did:")
	method, id, found := strings.Cut(rest, ":")
	if !ok || !found || method == "" || id == "" {
		return syntax
	}
	for i := range len(method) {
		if method[i] < 'a' || method[i] > 'z' {
			return syntax
		}
	}
	for i := range len(id) {
		c := id[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' ||
			c == '-'
		if !letter && (c != ':' && c != '%' || i == len(id)-1) {
			return syntax
		}
	}
	return ""
}

// acknowledged acknowledges a write.
type acknowledged struct{}

func (acknowledged) AppendJSON(dst []byte) []byte { return append(dst, `"ok"`...) }

// write writes the follows that decode reads, or undoes them, all or none. Undoing what is
// not there is nothing, and makes no account exist.
func (h *Handlers) write(decode func(c call.Request, undo bool) ([]follow, error), undo bool) call.Handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) {
		list, err := decode(c, undo)
		if err != nil {
			return nil, err
		}
		follows := make([]graph.Follow, len(list))
		for i, f := range list {
			follows[i] = graph.Follow{Account: f.Actor, Target: f.Target}
		}
		g, err := h.open(ctx)
		if err != nil {
			return nil, err
		}
		write := g.Follow
		if undo {
			write = g.UnfollowKnown
		}
		if _, err := write(ctx, follows...); err != nil {
			return nil, err
		}
		return acknowledged{}, nil
	}
}
