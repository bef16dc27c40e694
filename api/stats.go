// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// StatsRequest asks for figures of the database.
type StatsRequest struct {
	Index string // "": all indexes
	Kinds bool   // also count containers by kind, which reads every page of lists
}

// StatsReply says what a database consists of, and what it takes.
type StatsReply struct {
	Indexes []IndexStats `json:"indexes"` // by name
	Memory  MemoryStats  `json:"memory"`
	Cache   CacheStats   `json:"cache"`
	Store   StoreStats   `json:"store"`
}

// AppendJSON appends the reply.
func (r StatsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// MemoryStats is what the memory of the database is taken for, in bytes.
type MemoryStats struct {
	Limit int64 `json:"limit"`
	Used  int64 `json:"used"` // of all that follows
	Cache int64 `json:"cache"`
	// which pages there are, writes that are in none yet, and flushes
	Indexes int64 `json:"indexes"`
	Deltas  int64 `json:"deltas"`
	Merges  int64 `json:"merges"`
	Loads   int64 `json:"loads"`
	Backups int64 `json:"backups"`
	Queries int64 `json:"queries"`
	Answers int64 `json:"answers"`
}

// CacheStats is how many page reads the cache served since the database was opened, and how many
// it did not.
type CacheStats struct {
	Hits   uint64 `json:"hits"`
	Misses uint64 `json:"misses"`
}

// StoreStats is the room on disk; zero where the engine cannot tell.
type StoreStats struct {
	Tree   int64 `json:"tree_bytes"`
	Values int64 `json:"value_bytes"`
	Total  int64 `json:"total_bytes"`
}

// IndexStats says what an index consists of.
type IndexStats struct {
	Name           string          `json:"name"`
	Records        uint64          `json:"records"`
	Sequence       uint64          `json:"sequence"`         // of the last commit
	Commits        uint64          `json:"commits"`          // since the index was made
	Flushed        uint64          `json:"flushed_sequence"` // commits up to this one are in pages
	OldestLogEntry uint64          `json:"oldest_log_entry"`
	OldestLogTime  string          `json:"oldest_log_time,omitempty"` // UTC; none of an empty log
	NewestLogTime  string          `json:"newest_log_time,omitempty"`
	LogBytes       uint64          `json:"log_bytes"`
	Unfinished     int64           `json:"unfinished_follows,omitempty"` // of a load that has not ended: those stored
	DeltaEdits     uint64          `json:"delta_edits"`                  // since the last flush
	DeltaKeys      uint64          `json:"delta_keys"`
	DeltaWords     uint64          `json:"delta_values"`
	DeltaBytes     uint64          `json:"delta_bytes"`
	Fields         []FieldStats    `json:"fields"`   // as they are stored, those of the index itself among them
	Declared       []DeclaredField `json:"declared"` // as they were declared
}

// FieldStats is what the pages of a field amount to, as of the last flush.
type FieldStats struct {
	Name   string           `json:"name"`
	Type   string           `json:"type"`
	Rows   uint64           `json:"rows"`   // posting lists
	Values uint64           `json:"values"` // the sum of their cardinalities
	Pages  uint64           `json:"pages"`
	Pieces uint64           `json:"pieces"` // pages with a part of a list that is too large for one
	Bytes  uint64           `json:"bytes"`
	Kinds  []ContainerStats `json:"kinds,omitempty"`
}

// ContainerStats is the containers of one kind in the lists of a field.
type ContainerStats struct {
	Kind       string `json:"kind"` // array, bitset, run or packed
	Containers uint64 `json:"containers"`
	Values     uint64 `json:"values"`
	Bytes      uint64 `json:"bytes"`
}

// DeclaredField is a field as it was declared, with what its values are.
type DeclaredField struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Values  string `json:"values"`            // keys, records or integers
	Inverse string `json:"inverse,omitempty"` // of a relation
	// value column: none, fast, small, value (one for each record), or inverse
	Column string `json:"column"`
	Format string `json:"format,omitempty"` // of an integer field: number, date or time
	Scale  int    `json:"scale,omitempty"`
}
