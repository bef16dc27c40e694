// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"context"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/call"
)

// statsOrPage tells a program what there is, and shows people a page.
func (h *Handlers) statsOrPage(ctx context.Context, c call.Request) (call.Reply, error) {
	accept := c.Header("Accept")
	if quality(accept, "text/html") > quality(accept, "application/json") {
		return h.opts.Page(ctx, c)
	}
	return h.handler(stats)(ctx, c)
}

// quality returns how much a type is wanted, by a field Accept (RFC 9110, 12.5.1).
func quality(accept, media string) (q float64) {
	kind, _, _ := strings.Cut(media, "/")
	precise := 0
	for part := range strings.SplitSeq(accept, ",") {
		of, rest, _ := strings.Cut(part, ";")
		rank := 0
		switch strings.ToLower(strings.TrimSpace(of)) {
		case media:
			rank = 3
		case kind + "/*":
			rank = 2
		case "*/*":
			rank = 1
		}
		if rank <= precise {
			continue
		}
		precise, q = rank, 1
		for parameter := range strings.SplitSeq(rest, ";") {
			if text, ok := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q="); ok {
				q, _ = strconv.ParseFloat(text, 64)
			}
		}
	}
	return q
}

// statsReply says about how much there is. What the index was written since it was flushed is not
// in the numbers of edges.
type statsReply uproar.IndexStats

func (r statsReply) AppendJSON(dst []byte) []byte {
	rows, values := make(map[string]uint64), make(map[string]uint64)
	for _, f := range r.Fields {
		rows[f.Name], values[f.Name] = f.Rows, f.Values
	}
	targets, edges := uint64(0), uint64(0)
	for _, s := range sources {
		if s.inverse == "" {
			targets += rows[string(s.relation)]
			continue
		}
		targets += rows[s.inverse]
		edges += values[string(s.relation)]
	}
	dst = append(dst, `{"help":"open this address in a browser for the console; docs/graph.md has the calls",`...)
	dst = strconv.AppendUint(append(dst, `"days_indexed":null,"stats":{"dids":`...), r.Records, 10)
	dst = strconv.AppendUint(append(dst, `,"targetables":`...), targets, 10)
	dst = strconv.AppendUint(append(dst, `,"linking_records":`...), edges, 10)
	dst = append(dst, `,"started_at":null,"other_data":{"unflushed":`...)
	return append(strconv.AppendUint(dst, r.DeltaEdits, 10), "}}}"...)
}

func stats(a *asked) (call.Reply, error) {
	s, err := a.graph.Index().Stats()
	return statsReply(s), err
}
