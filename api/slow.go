// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "time"

// SlowReply lists the last requests that took long.
type SlowReply struct {
	LeastMicros int64         `json:"leastMicros"` // how long a request takes that is listed
	Requests    []SlowRequest `json:"requests"`    // the newest first
}

// SlowRequest is a request that took long.
type SlowRequest struct {
	Time       time.Time `json:"time"` // of its answer
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	Query      string    `json:"query,omitempty"` // of its target, without the values of unknown parameters
	Body       string    `json:"body,omitempty"`  // the beginning of its JSON
	Status     int       `json:"status"`
	TookMicros int64     `json:"tookMicros"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r SlowReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
