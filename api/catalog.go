// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Limits of requests about catalogs.
const (
	MaxSearches   = 10_000 // in one request
	DefaultListed = 10     // records that are listed of several, if the request does not say how many
)

// Conditions are, by attribute, what a search wants of a catalog, or what a record has.
type Conditions map[string]Condition

// Condition is a value; one of some values (In); none of some (Not); or a range (From, To). A range
// includes its ends, and one end may be open. In JSON a value is a string, and every other
// condition an object with in, not, from and to.
type Condition struct {
	Value string   `json:"-"`
	In    []string `json:"in,omitempty"`
	Not   []string `json:"not,omitempty"`
	From  string   `json:"from,omitempty"`
	To    string   `json:"to,omitempty"`
}

// conditionObject is a condition as an object.
type conditionObject Condition

// UnmarshalJSON reads a string, or an object.
func (c *Condition) UnmarshalJSON(text []byte) error {
	*c = Condition{}
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.Value)
	}
	var o conditionObject
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil || text[0] != '{' {
		return fmt.Errorf("a condition is %.60q, want a string, or an object with in, not, from or to", text)
	}
	*c = Condition(o)
	return nil
}

// MarshalJSON writes a string, or an object.
func (c Condition) MarshalJSON() ([]byte, error) {
	if len(c.In) == 0 && len(c.Not) == 0 && c.From == "" && c.To == "" {
		return AppendString(nil, c.Value), nil
	}
	return json.Marshal(conditionObject(c))
}

// SearchRequest asks for the record that counts under some conditions, once or many times.
type SearchRequest struct {
	Catalog  string       `json:"catalog"`
	Searches []Conditions `json:"searches"`       // 1 to MaxSearches; an attribute that is not named is no condition
	Show     []string     `json:"show,omitempty"` // attributes of the records that are to be told
	// records that are listed of several, 2 to MaxLimit; 0 means DefaultListed
	Limit int `json:"limit,omitempty"`
	// of several, do not say which attributes would decide, which costs a count over each
	Brief bool `json:"brief,omitempty"`
}

// SearchReply has the answers in the order of the searches.
type SearchReply struct {
	Answers []SearchAnswer `json:"answers"`
}

// SearchAnswer is what a search has found, or why it cannot be.
type SearchAnswer struct {
	Found string `json:"found,omitempty"` // "nothing", "one" or "several"; absent with an error
	// of one, that; of several, the first ones in the order in which they were first written
	Records []CatalogRecord `json:"records,omitempty"`
	More    bool            `json:"more,omitempty"` // of several: there are more of them
	// of several: attributes whose values differ among them and that the search does not name
	Deciding []string `json:"deciding,omitzero"`
	// of nothing: an attribute whose wanted value no record ever had, if one was found
	Unknown string `json:"unknown,omitempty"`
	Error   *Error `json:"error,omitempty"`
}

// AppendJSON appends the answer to dst and returns the extended slice.
func (a SearchAnswer) AppendJSON(dst []byte) []byte { return appendValue(dst, a) }

// CatalogRecord is a record, with what is told of it.
type CatalogRecord struct {
	Key string `json:"key"`
	// the record's values of the requested attributes; of a rule, the condition as tables have it
	Values map[string]string `json:"values,omitempty"`
}

// FacetsRequest asks which values are still possible under some conditions.
type FacetsRequest struct {
	Catalog string     `json:"catalog"`
	Where   Conditions `json:"where,omitempty"`
	// not given: all that the conditions do not name, except information
	Attributes []string `json:"attributes,omitempty"`
	Limit      int      `json:"limit,omitempty"` // values of an attribute, 1 to MaxLimit; 0 means DefaultLimit
}

// FacetsReply says what the records that fit the conditions have.
type FacetsReply struct {
	Count  uint64         `json:"count"` // records that fit
	Facets []CatalogFacet `json:"facets"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r FacetsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// CatalogFacet is what the records have of an attribute.
type CatalogFacet struct {
	Attribute string `json:"attribute"`
	// those of most records first; none of numbers, dates and times that are no rule
	Values []FacetValue `json:"values,omitempty"`
	More   bool         `json:"more,omitempty"` // there are more values
	// of numbers, dates and times: the least value; of rules, the least beginning of a range
	Min      string       `json:"min,omitempty"`
	Max      string       `json:"max,omitempty"`      // the greatest; of rules, the greatest end of a range
	Excluded []FacetValue `json:"excluded,omitempty"` // of rules: values that records exclude
	Any      uint64       `json:"any,omitempty"`      // of rules: records that fit any value
	Ranges   uint64       `json:"ranges,omitempty"`   // of rules: records with a range
}

// FacetValue is a value with the number of records that have it.
type FacetValue struct {
	Value string `json:"value"`
	Count uint64 `json:"count"`
}
