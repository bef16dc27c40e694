// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"strings"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// source is a place in the records of a collection: what stands there is a subject.
type source struct {
	collection, path string
	relation         graph.Relation // whose edges have the records
	inverse          string         // its other direction; "": the subject is the account of the edges
}

// items is the collection of list items. They name two subjects: the list and its member.
const items = "app.bsky.graph.listitem"

// sources are the places that a graph knows.
var sources = []source{
	{"app.bsky.graph.block", ".subject", graph.Blocks, graph.BlockersField},
	{"app.bsky.graph.follow", ".subject", graph.Follows, graph.FollowersField},
	{items, ".list", graph.Members, ""},
	{items, ".subject", graph.Members, graph.ListsField},
}

// indexed returns the sources that a graph has, of which there is at least one.
func indexed(g *graph.Graph) (known []source, err error) {
	for _, s := range sources {
		if g.Keyed(s.relation) {
			known = append(known, s)
		}
	}
	if known == nil {
		return nil, failure(501, "no source is indexed here: want a graph that keeps the keys of records; "+
			"this one was made without")
	}
	return known, nil
}

// find returns the source of a collection and a path with its dot.
func find(g *graph.Graph, collection, path string) (source, error) {
	known, err := indexed(g)
	if err != nil {
		return source{}, err
	}
	var names []string
	for _, s := range known {
		if s.collection == collection && s.path == path {
			return s, nil
		}
		names = append(names, s.collection+":"+s.path[1:])
	}
	return source{}, failure(501, "source "+call.Quote(collection+":"+strings.TrimPrefix(path, "."))+
		" is not indexed here, want one of "+strings.Join(names, ", "))
}

// ownerOf returns the DID in the URI of a list. ok is false for what is none.
func ownerOf(list string) (did string, ok bool) {
	rest, ok := strings.CutPrefix(list, "at://")
	if !ok {
		return "", false
	}
	did, key, ok := strings.Cut(rest, "/app.bsky.graph.list/")
	return did, ok && strings.HasPrefix(did, "did:") && key != "" && !strings.Contains(did+key, "/")
}
