// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// Index is an index of the database.
type Index struct {
	Index       string   `json:"index"`
	Aliases     []string `json:"aliases"`               // other names of it, sorted
	Application string   `json:"application,omitempty"` // graph, catalog, standing, redis; "": none
	Fields      []Field  `json:"fields"`
	Records     uint64   `json:"records"`
	Bytes       uint64   `json:"bytes"`    // of pages, log and memory, about
	Sequence    uint64   `json:"sequence"` // of the last commit
	Commits     uint64   `json:"commits"`  // since the index was made
}

// IndexesReply is all indexes of the database, by name, or the one that was asked for.
type IndexesReply struct {
	Indexes []Index `json:"indexes"`
}

// AppendJSON appends the reply.
func (r IndexesReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// CreateIndexRequest makes an index.
type CreateIndexRequest struct {
	Index  string  `json:"index"`
	Fields []Field `json:"fields,omitempty"`
}

// CreateIndexReply is the index that was made.
type CreateIndexReply struct {
	Index  string  `json:"index"`
	Fields []Field `json:"fields"`
}

// AppendJSON appends the reply.
func (r CreateIndexReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// DropIndexRequest deletes an index with all its records.
type DropIndexRequest struct {
	Index string `json:"index"`
}

// AliasRequest gives an index another name.
type AliasRequest struct {
	Alias string `json:"alias"`
	Index string `json:"index"` // "": the alias is removed
}

// DoneReply says that what was asked for is done.
type DoneReply struct {
	Done bool `json:"done"` // true
}

// AppendJSON appends the reply.
func (r DoneReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
