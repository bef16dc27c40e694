// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/call"
)

// requestIDs numbers the requests that the log speaks of. A random prefix tells
// the runs of a server apart.
type requestIDs struct {
	run  string
	last atomic.Uint64
}

func newRequestIDs() requestIDs {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return requestIDs{run: hex.EncodeToString(b[:])}
}

// requestIDField is the field of the header in which a request brings its ID, and an answer has it.
const requestIDField = "X-Request-Id"

// maxRequestID bounds the ID that a client gives its request, in bytes.
const maxRequestID = 128

// of returns the ID that a request brings, or a new one. What may not stand in a line of the log is
// no ID.
func (ids *requestIDs) of(c *call.Request) string {
	id := c.Header(requestIDField)
	if id == "" || len(id) > maxRequestID {
		return ids.next()
	}
	for _, b := range []byte(id) {
		if (b < '0' || b > '9') && (b|' ' < 'a' || b|' ' > 'z') && strings.IndexByte("-._~:/+=@", b) < 0 {
			return ids.next()
		}
	}
	return id
}

// requestID returns the ID of the request that a context is of; "" if it is of none.
func requestID(ctx context.Context) string {
	if c, ok := ctx.Value(requestKey{}).(*requestContext); ok {
		return c.id
	}
	return ""
}

// traceOf returns the field of the log that names the trace of a context, if it has one.
func traceOf(ctx context.Context) []slog.Attr {
	if id := trace.Of(ctx).TraceID(); id != "" {
		return []slog.Attr{slog.String("trace_id", id)}
	}
	return nil
}

func (ids *requestIDs) next() string {
	return ids.run + "-" + strconv.FormatUint(ids.last.Add(1), 10)
}

// maxLogged bounds how much of a target a line of the log repeats, in bytes.
const maxLogged = 2 << 10

// logged holds the names of the parameters whose values the log may show: all that some call takes.
var logged = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"did": true, "actor_did": true, "target_did": true, // GraphD's
		"targets": true, "actor": true, // rsky-graph's
		"subject": true, "source": true, "reverse": true, "pathToOther": true, "linkDid": true, "otherSubject": true,
		"from_dids": true, "collection": true, "path": true} // constellation's
	for _, o := range operations {
		for _, p := range o.Params {
			names[p.Name] = true
		}
	}
	return names
})

// masked returns a query as it may stand in the log. Of parameters that no call takes only the name
// is kept: somebody may have put a token there, which belongs into a header.
func masked(query string) string {
	if query == "" {
		return ""
	}
	var b strings.Builder
	for part := range strings.SplitSeq(query, "&") {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		name, _, valued := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		switch {
		case err == nil && logged()[plain]:
			b.WriteString(part)
		case valued && len(name) < leastToken:
			b.WriteString(name + "=***")
		default:
			b.WriteString("***")
		}
		if b.Len() > maxLogged {
			break
		}
	}
	return call.Cut(b.String(), maxLogged)
}

// maskedPath returns the path of no call as it may stand in the log. Parts that are long enough for
// a token are not kept.
func maskedPath(path string) string {
	parts := strings.Split(path[:min(len(path), maxLogged)], "/")
	for i, part := range parts {
		parts[i] = maskedWord(part)
	}
	return strings.Join(parts, "/")
}

// maskedWord returns a word of a client, unless it may be a token.
func maskedWord(word string) string {
	if len(word) >= leastToken {
		return "***"
	}
	return word
}
