// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// CheckRequest asks what is wrong with the records of a catalog.
type CheckRequest struct {
	Catalog string
	Limit   int // faults, 1 to MaxLimit; 0 means DefaultLimit
}

// CheckReply has the faults of a catalog, always in the same order.
type CheckReply struct {
	Faults []CatalogFault `json:"faults"`
	More   bool           `json:"more,omitempty"` // there are more of them
}

// AppendJSON appends the reply.
func (r CheckReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// FaultKind says what is wrong with two records.
type FaultKind string

// The kinds of fault.
const (
	FaultAmbiguous   FaultKind = "ambiguous"   // both fit some search, and neither counts more
	FaultUnreachable FaultKind = "unreachable" // the other fits whatever it fits, and counts more
)

// CatalogFault is what is wrong with two records.
type CatalogFault struct {
	Kind    FaultKind `json:"kind"`
	Key     string    `json:"key"`
	Other   string    `json:"other"`
	Message string    `json:"message"` // for people
}
