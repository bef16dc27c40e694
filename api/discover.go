// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"encoding/json"
	"strconv"
	"time"
)

// Limits of requests about many things at once.
const (
	MaxCalls  = 1_000 // calls in one batch
	MaxRanked = 1_000 // accounts of a ranking
)

// RankRequest asks for suggestions, or for accounts that are similar to one.
type RankRequest struct {
	Account string
	By      string // similar: "jaccard" (if empty), "cosine" or "count"
	Limit   int    // accounts, 1 to MaxRanked; 0 means 20
	Count   bool   // only how many there are
}

// RankedReply has the first accounts of a ranking.
type RankedReply struct {
	Accounts []RankedAccount `json:"accounts"`
	Count    uint64          `json:"count"` // how many there are in all
}

// RankedAccount is an account of a ranking.
type RankedAccount struct {
	Account string  `json:"account"`
	Common  uint64  `json:"common"` // accounts that it is ranked by
	Score   float64 `json:"score"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r RankedReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"accounts":[`...)
	for i, a := range r.Accounts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(dst, `{"account":`...), a.Account)
		dst = appendUint(append(dst, `,"common":`...), a.Common)
		dst = strconv.AppendFloat(append(dst, `,"score":`...), a.Score, 'f', -1, 64)
		dst = append(dst, '}')
	}
	return append(appendUint(append(dst, `],"count":`...), r.Count), '}')
}

// WriteRequest is the body of write: changes of any relation, all or none.
type WriteRequest struct {
	Changes  []ChangeRequest `json:"changes,omitempty"`
	Stream   string          `json:"stream,omitempty"`   // whose Position is stored with the changes
	Position *int64          `json:"position,omitempty"` // how far that stream has come
}

// ChangeRequest is one change: Op is "set", "clear", "replace", or without Relation and Target
// "delete", "hide" or "show".
type ChangeRequest struct {
	Op       string        `json:"op"`
	Relation string        `json:"relation,omitempty"`
	Account  string        `json:"account"`
	Target   string        `json:"target,omitempty"`
	Key      string        `json:"key,omitempty"`   // of the account's record of the edge, of set and clear
	Edges    []EdgeRequest `json:"edges,omitempty"` // of replace: all that the account has
}

// EdgeRequest is an edge of an account to a target, and the key of its record, if it has one.
type EdgeRequest struct {
	Target string `json:"target"`
	Key    string `json:"key,omitempty"`
}

// PositionReply says how far a stream has come.
type PositionReply struct {
	Position *int64 `json:"position"` // null: it was never written
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r PositionReply) AppendJSON(dst []byte) []byte {
	if r.Position == nil {
		return append(dst, `{"position":null}`...)
	}
	return append(strconv.AppendInt(append(dst, `{"position":`...), *r.Position, 10), '}')
}

// LookupRequest is the body of lookup: accounts or IDs.
type LookupRequest struct {
	Accounts []string `json:"accounts,omitempty"`
	IDs      []uint64 `json:"ids,omitempty"`
}

// LookupReply has what was found, in the order of the question.
type LookupReply struct {
	Accounts []LookedUp `json:"accounts"`
}

// LookedUp is an account with its ID; one of them is null if there is no such account.
type LookedUp struct {
	Account *string `json:"account"`
	ID      *uint64 `json:"id"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r LookupReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"accounts":[`...)
	for i, a := range r.Accounts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"account":`...)
		if a.Account != nil {
			dst = AppendString(dst, *a.Account)
		} else {
			dst = append(dst, "null"...)
		}
		dst = append(dst, `,"id":`...)
		if a.ID != nil {
			dst = appendUint(dst, *a.ID)
		} else {
			dst = append(dst, "null"...)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']', '}')
}

// BatchRequest is the body of batch: calls by GET, each with its path and parameters. They are
// answered in their order, with "answers": the reply of each.
type BatchRequest struct {
	Calls []string `json:"calls"`
}

// BatchReply has what the calls of a batch were answered with, in their order: the reply of each,
// or an ErrorReply.
type BatchReply struct {
	Answers []json.RawMessage `json:"answers"`
}

// ChangesRequest asks for the commits of an index after one.
type ChangesRequest struct {
	Index string
	After uint64
	Limit int
	Wait  time.Duration // for a commit, if there is none
}

// ChangesReply has commits in their order.
type ChangesReply struct {
	Commits []Commit `json:"commits"`
	Last    uint64   `json:"last"` // After of the next request
}

// Commit is one write of an index.
type Commit struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time"`
	Loaded   bool      `json:"loaded,omitempty"` // a bulk load became visible: what it brought is not in Changes
	Changes  []Changed `json:"changes"`
}

// Changed is one change of a commit.
type Changed struct {
	Kind     string `json:"kind"`
	Field    string `json:"field,omitempty"`
	Record   string `json:"record,omitempty"`
	RecordID uint64 `json:"record_id"`
	Value    string `json:"value,omitempty"`
}

// AppendJSON appends the commit to dst and returns the extended slice.
func (c Commit) AppendJSON(dst []byte) []byte {
	dst = appendUint(append(dst, `{"sequence":`...), c.Sequence)
	dst = c.Time.UTC().AppendFormat(append(dst, `,"time":"`...), time.RFC3339Nano)
	dst = append(dst, '"')
	if c.Loaded {
		dst = append(dst, `,"loaded":true`...)
	}
	dst = append(dst, `,"changes":[`...)
	for i, x := range c.Changes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(dst, `{"kind":`...), x.Kind)
		for _, m := range [...]struct{ name, value string }{{`,"field":`, x.Field}, {`,"record":`, x.Record}} {
			if m.value != "" {
				dst = AppendString(append(dst, m.name...), m.value)
			}
		}
		dst = appendUint(append(dst, `,"record_id":`...), x.RecordID)
		if x.Value != "" {
			dst = AppendString(append(dst, `,"value":`...), x.Value)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']', '}')
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r ChangesReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"commits":[`...)
	for i, c := range r.Commits {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.AppendJSON(dst)
	}
	return append(appendUint(append(dst, `],"last":`...), r.Last), '}')
}
