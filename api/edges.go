// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "strconv"

// MaxEdges is about how many targets, and how many lists, one question about edges may be.
const MaxEdges = 100

// EdgesRequest is the body of edges: what Account has to do with each target, and which records
// put it on lists.
type EdgesRequest struct {
	Account string   `json:"account"`
	Targets []string `json:"targets,omitempty"`
	Lists   []string `json:"lists,omitempty"`
}

// EdgesReply has what was asked for, in the order of the question, of one state.
type EdgesReply struct {
	Edges []EdgesOf `json:"edges"`
	Lists []string  `json:"lists"` // the keys of the records by which the account is on the lists; "": it is not
}

// EdgesOf has the keys of the records between the account and a target; "" where there is none.
type EdgesOf struct {
	Following  string `json:"following"`
	FollowedBy string `json:"followedBy"`
	Blocking   string `json:"blocking"`
	BlockedBy  string `json:"blockedBy"`
	Muting     bool   `json:"muting"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r EdgesReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"edges":[`...)
	for i, e := range r.Edges {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(dst, `{"following":`...), e.Following)
		dst = AppendString(append(dst, `,"followedBy":`...), e.FollowedBy)
		dst = AppendString(append(dst, `,"blocking":`...), e.Blocking)
		dst = AppendString(append(dst, `,"blockedBy":`...), e.BlockedBy)
		dst = strconv.AppendBool(append(dst, `,"muting":`...), e.Muting)
		dst = append(dst, '}')
	}
	return append(appendStrings(append(dst, `],"lists":`...), r.Lists), '}')
}
