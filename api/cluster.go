// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "time"

// ClusterReply says which copies of a database there are, as their log knows them.
type ClusterReply struct {
	Log         string              `json:"log"`     // its identity
	Horizon     uint64              `json:"horizon"` // objects before it may be gone; 0: none are
	Nodes       []ClusterNode       `json:"nodes"`   // in the order of their names
	Checkpoints []ClusterCheckpoint `json:"checkpoints"`
}

// ClusterNode is what a copy last said of itself.
type ClusterNode struct {
	Node      string `json:"node"`
	URL       string `json:"url,omitempty"` // where it is reached
	Leads     bool   `json:"leads"`         // it takes the writes
	Epoch     uint64 `json:"epoch"`         // how often the writer has changed
	Position  uint64 `json:"position"`      // objects of the log that it had
	AgeMillis int64  `json:"ageMillis"`     // how long ago it said so, by the clocks of the two machines
}

// ClusterCheckpoint is a checkpoint in the log.
type ClusterCheckpoint struct {
	Position uint64    `json:"position"` // objects of the log that are in it
	Bytes    int64     `json:"bytes"`
	Time     time.Time `json:"time"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r ClusterReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
