// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// Limits of requests.
const (
	DefaultLimit = 100    // entries of a page, when the request does not say
	MaxLimit     = 10_000 // the most that a request may ask for
)

// AccountRequest asks for the followers, the following or the mutuals of one
// account.
type AccountRequest struct {
	Account string
	Part
	Order string // "newest" or "oldest": by the time of records; "": of first appearance
	Keys  bool   // with the keys of records, of a list with an Order
}

// PairRequest asks about two accounts: whether Account follows Target, or who is
// followed by Account and follows Target (then with a Part).
type PairRequest struct {
	Account, Target string
	Part
}

// IntersectRequest asks for the intersection of the lists of accounts, at least one.
type IntersectRequest struct {
	Accounts []string
	Part
}

// Part says which part of a list is wanted: a page of it, or only its length.
type Part struct {
	Limit  int    // entries of the page, 1 to MaxLimit; 0 means DefaultLimit
	Cursor string // of the page before; "" means the first
	Count  bool   // only count; Limit and Cursor must not be given
	Viewer string // if set: without accounts that it blocks or mutes, or that block it
}

// FollowRequest is the body of follow and unfollow: either Follows, or one
// Account and Target.
type FollowRequest struct {
	Account string   `json:"account,omitempty"`
	Target  string   `json:"target,omitempty"`
	Follows []Follow `json:"follows,omitempty"`
}

// Follow is one follow: Account follows Target.
type Follow struct {
	Account string `json:"account"`
	Target  string `json:"target"`
}

// AccountsReply is a page of a list of accounts.
type AccountsReply struct {
	Accounts []string `json:"accounts"`         // in order of first appearance, or as asked for
	Keys     []string `json:"keys,omitempty"`   // of their records, if asked for
	Cursor   string   `json:"cursor,omitempty"` // for the next page; absent on the last
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r AccountsReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"accounts":`...)
	dst = appendStrings(dst, r.Accounts)
	if len(r.Keys) > 0 {
		dst = appendStrings(append(dst, `,"keys":`...), r.Keys)
	}
	return append(appendCursor(dst, r.Cursor), '}')
}

// CountReply is the length of a list, or the number of records that match a
// query.
type CountReply struct {
	Count uint64 `json:"count"`
	// of a query: its parts that are empty because the record does not exist; up to MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r CountReply) AppendJSON(dst []byte) []byte {
	return append(appendUnknown(appendUint(append(dst, `{"count":`...), r.Count), r.Unknown), '}')
}

// FollowsReply says whether an account follows another.
type FollowsReply struct {
	Follows bool `json:"follows"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r FollowsReply) AppendJSON(dst []byte) []byte {
	if r.Follows {
		return append(dst, `{"follows":true}`...)
	}
	return append(dst, `{"follows":false}`...)
}

// WriteReply acknowledges a write: it is durable, and every later read sees it.
type WriteReply struct {
	Sequence uint64 `json:"sequence"` // number of the commit in the index's log
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r WriteReply) AppendJSON(dst []byte) []byte {
	return append(appendUint(append(dst, `{"sequence":`...), r.Sequence), '}')
}
