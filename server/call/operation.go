// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import "github.com/uproar-db/uproar/api"

// An Operation describes one method of one path: which token may call it, and what openapi.json
// says of it. The packages of handlers list theirs, one for each endpoint. A test compares them
// with what the handlers do, and writes openapi.json.
type Operation struct {
	Method, Path string
	Summary      string // one line, for people
	Access       Access // what a token must allow
	Params       []Parameter
	Body         any        // a value of the type that the JSON body is read into; nil: no JSON body
	Replies      []any      // a value of each type that the JSON reply may have; none: see media
	Streamed     []string   // media types beside JSON that the client may ask for by Accept
	Media        string     // the media type of a reply that is no JSON
	Takes        string     // the media type of a body that is no JSON
	Errors       []api.Code // in addition to the errors that any operation may have
	Streams      bool       // the handler reads the body itself, while it arrives: it may be larger than memory
	Always       bool       // never waits for a turn: the handler waits itself, or tells how the server is
}

// Access is what a call does, and a token allows.
type Access int

const (
	// AccessWrite is for calls that change the database, or show what a token for reading must not
	// see. A call without an Operation has it too.
	AccessWrite  Access = iota
	AccessRead          // only answers
	AccessPublic        // tells nothing of the database: no token is needed
)

// A Parameter describes a parameter after the question mark.
type Parameter struct {
	Name, About string
	Required    bool
	Repeated    bool
	Integer     bool
	Boolean     bool
	Least, Most uint64 // of an integer; most 0: any of 64 bits
	Enum        []string
}

// Parameters of several operations.
var (
	OfAccount  = Parameter{Name: "account", About: "key of the account", Required: true}
	OfAccounts = Parameter{Name: "account", About: "keys of the accounts", Required: true, Repeated: true}
	OfTarget   = Parameter{Name: "target", About: "key of the other account", Required: true}
	OfIndex    = Parameter{Name: "index", About: "name of the index", Required: true}
	OfLimit    = Parameter{Name: "limit", About: "entries of the page; 100 if not given", Integer: true, Least: 1,
		Most: api.MaxLimit}
	OfCursor = Parameter{Name: "cursor", About: "cursor of the page before, unchanged; the first page if not given"}
	OfCount  = Parameter{Name: "count", About: "true: only how many there are; not together with limit and cursor",
		Boolean: true}
	ofViewer = Parameter{Name: "viewer",
		About: "key of an account without whose blocks and mutes, and without those who block it, the list is wanted"}
	OfRanked = Parameter{Name: "limit", About: "entries of the ranking; 20 if not given", Integer: true, Least: 1,
		Most: api.MaxRanked}
	OfMeasure = Parameter{Name: "by", About: "measure of similarity; jaccard if not given",
		Enum: []string{"jaccard", "cosine", "count"}}
)

// Part returns the parameters of a call that lists accounts, page by page.
func Part(of ...Parameter) []Parameter {
	return append(of, OfLimit, OfCursor, OfCount, ofViewer)
}

// The replies and errors of lists of accounts.
var (
	Listed     = []any{api.AccountsReply{}, api.CountReply{}}
	Ranked     = []any{api.RankedReply{}, api.CountReply{}}
	ListErrors = []api.Code{api.CodeInvalidAccount, api.CodeInvalidCursor, api.CodeUnknownAccount}
	BodyErrors = []api.Code{api.CodeBodyTooLarge, api.CodeUnsupportedMedia}
	AskErrors  = []api.Code{api.CodeInvalidQuery, api.CodeUnknownIndex, api.CodeUnknownField, api.CodeUnknownSet}
)
