// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// SortedRequest asks for the records that fit some conditions, in an order, a part at a time.
type SortedRequest struct {
	Catalog string     `json:"catalog"`
	Where   Conditions `json:"where,omitempty"`
	// an attribute that is no rule; not given: the order in which records were first written
	By         string   `json:"by,omitempty"`
	Descending bool     `json:"descending,omitempty"`
	From       int      `json:"from,omitempty"`  // position of the first record of the part
	Limit      int      `json:"limit,omitempty"` // records of the part, 1 to MaxLimit; 0 means DefaultLimit
	Show       []string `json:"show,omitempty"`  // attributes of the records that are to be told
}

// SortedReply is a part of a list of records. Those without the attribute come last.
type SortedReply struct {
	Count   int             `json:"count"` // records that fit
	Records []CatalogRecord `json:"records"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r SortedReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// CatalogWriteRequest puts and deletes records, all or none, first what is deleted.
type CatalogWriteRequest struct {
	Catalog string `json:"catalog"`
	// each takes the place of the record with its key, if there is one
	Put    []RecordRequest `json:"put,omitempty"`
	Delete []string        `json:"delete,omitempty"` // keys; one that no record has is nothing to be deleted
}

// RecordRequest is a record that is put.
type RecordRequest struct {
	Key      string     `json:"key"`
	Has      Conditions `json:"has,omitempty"` // of attributes that are values, the value; of rules, the condition
	Priority int64      `json:"priority,omitempty"`
	Default  bool       `json:"default,omitempty"`
}

// CatalogImportReply says what an import of a catalog has read.
type CatalogImportReply struct {
	Records  int64    `json:"records"`   // that the catalog has now
	Bad      int64    `json:"bad"`       // bad lines, which were left out
	BadLines []string `json:"bad_lines"` // what is wrong with the first of them
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r CatalogImportReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
