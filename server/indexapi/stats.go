// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

const statsPath = "/v1/stats"

func decodeStats(c call.Request) (api.StatsRequest, error) {
	p := call.ParseParams(c.Query)
	index, given := p.Optional("index")
	if given && index == "" {
		p.Fail(call.Invalid("parameter \"index\" is empty"))
	}
	req := api.StatsRequest{Index: index, Kinds: p.Flag("kinds")}
	return req, p.Finish()
}

// stats answers what the database consists of, and what it takes.
func (h *Handlers) stats(ctx context.Context, req api.StatsRequest) (call.Reply, error) {
	if req.Index != "" {
		if _, err := h.db.Index(req.Index); err != nil {
			return nil, err
		}
	}
	all, err := h.db.Stats()
	if err != nil {
		return nil, err
	}
	m := all.Memory
	r := api.StatsReply{Indexes: []api.IndexStats{},
		Memory: api.MemoryStats{Limit: m.Limit, Used: m.Total(), Cache: m.Cache, Indexes: m.Indexes, Deltas: m.Deltas,
			Merges: m.Merges, Loads: m.Loads, Backups: m.Backups, Queries: m.Queries, Answers: m.Answers},
		Cache: api.CacheStats{Hits: all.CacheHits, Misses: all.CacheMisses},
		Store: api.StoreStats{Tree: all.Store.Tree, Values: all.Store.Values, Total: all.Store.Total()}}
	for i := range all.Indexes {
		if req.Index != "" && all.Indexes[i].Name != req.Index {
			continue
		}
		x, err := h.indexStats(ctx, &all.Indexes[i], req.Kinds)
		if err != nil {
			return nil, err
		}
		r.Indexes = append(r.Indexes, x)
	}
	return r, nil
}

// logTime is how times of the log are written: to the millisecond that they are kept to, in UTC.
const logTime = "2006-01-02T15:04:05.000Z07:00"

func (h *Handlers) indexStats(ctx context.Context, of *uproar.IndexStats, count bool) (api.IndexStats, error) {
	x := api.IndexStats{Name: of.Name, Records: of.Records, Sequence: of.Sequence, Commits: of.Commits,
		Flushed:        of.Flushed,
		OldestLogEntry: of.OldestLogEntry, LogBytes: of.LogBytes, DeltaEdits: of.DeltaEdits, DeltaKeys: of.DeltaKeys,
		DeltaWords: of.DeltaWords, DeltaBytes: of.DeltaBytes, Fields: []api.FieldStats{},
		Declared: []api.DeclaredField{}}
	index, err := h.db.Index(of.Name)
	if err != nil {
		return x, err
	}
	oldest, newest, err := index.LogTimes()
	if err != nil {
		return x, err
	}
	if !oldest.IsZero() && !newest.IsZero() {
		x.OldestLogTime, x.NewestLogTime = oldest.UTC().Format(logTime), newest.UTC().Format(logTime)
	}
	if x.Unfinished, err = h.unfinished(ctx, h.db, of.Name); err != nil {
		return x, err
	}
	kinds := make(map[string][]api.ContainerStats)
	if count {
		counted, err := index.Kinds(ctx, nil)
		if err != nil {
			return x, err
		}
		for name, k := range counted {
			kinds[name] = containers(
				api.ContainerStats{Kind: "array", Containers: k.Array.Count, Values: k.Array.Values,
					Bytes: k.Array.Bytes},
				api.ContainerStats{Kind: "bitset", Containers: k.Bitset.Count, Values: k.Bitset.Values,
					Bytes: k.Bitset.Bytes},
				api.ContainerStats{Kind: "run", Containers: k.Run.Count, Values: k.Run.Values, Bytes: k.Run.Bytes},
				api.ContainerStats{Kind: "packed", Containers: k.Packed.Count, Values: k.Packed.Values,
					Bytes: k.Packed.Bytes})
		}
	}
	for _, f := range of.Fields {
		x.Fields = append(x.Fields, api.FieldStats{Name: f.Name, Type: f.Type, Rows: f.Rows, Values: f.Values,
			Pages: f.Pages, Pieces: f.Pieces, Bytes: f.Bytes, Kinds: kinds[f.Name]})
	}
	for _, f := range index.Fields() {
		x.Declared = append(x.Declared, declared(f))
	}
	return x, nil
}

// containers returns the kinds that there are.
func containers(kinds ...api.ContainerStats) []api.ContainerStats {
	return slices.DeleteFunc(kinds, func(k api.ContainerStats) bool { return k.Containers == 0 })
}

// declared says what a field's values are, and how they are kept.
func declared(f uproar.Field) api.DeclaredField {
	d := api.DeclaredField{Name: f.Name, Type: string(f.Type), Values: "keys", Inverse: f.Inverse, Column: "none",
		Scale: f.Scale}
	switch {
	case f.Type == uproar.Relation:
		d.Values, d.Column = "records", "inverse"
	case f.Type == uproar.Integer:
		d.Values, d.Column, d.Format = "integers", "value", "number"
		if f.Format != uproar.Number {
			d.Format = string(f.Format)
		}
	case f.Type == uproar.Single:
		d.Column = "value"
	case f.Column != uproar.NoColumn:
		d.Column = string(f.Column)
	}
	return d
}
