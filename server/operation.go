// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/api"
)

// An operation describes one method of one path: who may ask it, and what openapi.json tells about
// it. Each endpoint has one, in the lists below, which stand beside the handlers that they are
// about; a test compares them with what the handlers do, and writes openapi.json.
type operation struct {
	method, path string
	summary      string // one line, for people
	access       access // what a token must allow
	params       []parameter
	body         any        // a value of the type that the JSON body is read into; nil: no JSON body
	replies      []any      // a value of each type that the JSON reply may have; none: see media
	media        string     // the media type of a reply that is no JSON
	takes        string     // the media type of a body that is no JSON
	errors       []api.Code // beside those that every operation may have
	streams      bool       // the handler reads the body itself, while it arrives: it may be larger than memory
	always       bool       // not held up when the server has much to do: it waits itself, or tells how the server is
}

// access is what a call does, and a token allows.
type access int

const (
	// changes the database, or has what nobody may see who may only ask; what is not described is
	// so
	accessWrite  access = iota
	accessRead          // answers
	accessPublic        // tells nothing of the database: no token is needed
)

// A parameter describes a parameter after the question mark.
type parameter struct {
	name, about string
	required    bool
	repeated    bool
	integer     bool
	boolean     bool
	least, most uint64 // of an integer; most 0: any of 64 bits
	enum        []string
}

var (
	ofAccount  = parameter{name: "account", about: "key of the account", required: true}
	ofAccounts = parameter{name: "account", about: "keys of the accounts", required: true, repeated: true}
	ofTarget   = parameter{name: "target", about: "key of the other account", required: true}
	ofIndex    = parameter{name: "index", about: "name of the index", required: true}
	ofLimit    = parameter{name: "limit", about: "entries of the page; 100 if not given", integer: true, least: 1,
		most: api.MaxLimit}
	ofCursor = parameter{name: "cursor", about: "cursor of the page before, unchanged; the first page if not given"}
	ofCount  = parameter{name: "count", about: "true: only how many there are; not together with limit and cursor",
		boolean: true}
	ofViewer = parameter{name: "viewer",
		about: "key of an account without whose blocks and mutes, and without those who block it, the list is wanted"}
	ofRanked = parameter{name: "limit", about: "entries of the ranking; 20 if not given", integer: true, least: 1,
		most: api.MaxRanked}
	ofMeasure = parameter{name: "by", about: "measure of similarity; jaccard if not given",
		enum: []string{"jaccard", "cosine", "count"}}
)

// part returns the parameters of a call that lists accounts, page by page.
func part(of ...parameter) []parameter {
	return append(of, ofLimit, ofCursor, ofCount, ofViewer)
}

// The replies and errors of lists of accounts.
var (
	listed     = []any{api.AccountsReply{}, api.CountReply{}}
	ranked     = []any{api.RankedReply{}, api.CountReply{}}
	listErrors = []api.Code{api.CodeInvalidAccount, api.CodeInvalidCursor, api.CodeUnknownAccount}
	bodyErrors = []api.Code{api.CodeBodyTooLarge, api.CodeUnsupportedMedia}
	askErrors  = []api.Code{api.CodeInvalidQuery, api.CodeUnknownIndex, api.CodeUnknownField, api.CodeUnknownSet}
)

// operations are those of all endpoints but GraphD's, which docs/graphd.md has, because its errors
// are texts and its lists whole, as its clients expect them.
var operations = slices.Concat(graphOperations, audienceOperations, catalogOperations, queryOperations, fieldOperations,
	serverOperations)

// operationOf returns the description of an endpoint. An endpoint without one can only be asked
// with a token that allows everything.
func operationOf(method, path string) operation {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.method == method && o.path == path })
	if i < 0 {
		return operation{method: method, path: path}
	}
	return operations[i]
}
