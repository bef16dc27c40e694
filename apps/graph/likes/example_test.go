// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/store/memstore"
)

// Who of those whom carol follows likes a post.
func Example() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	g, err := graph.Open(ctx, db)
	if err != nil {
		panic(err)
	}
	l, err := likes.Open(ctx, db, g)
	if err != nil {
		panic(err)
	}
	const post = "at://did:plc:bob/app.bsky.feed.post/3m6aaaaaaaa2k"
	if _, err := g.Follow(ctx, graph.Follow{Account: "carol", Target: "alice"}); err != nil {
		panic(err)
	}
	if _, err := l.Write(ctx, likes.Changes{List: []likes.Change{
		{Account: "alice", Key: "3m6i4wtqkuf2l", Subject: post},
		{Account: "dan", Key: "3m6i4wtqkuf2m", Subject: post},
	}}); err != nil {
		panic(err)
	}
	answers, err := l.Ask(ctx, likes.Question{Viewer: "carol", Limit: 5}, post)
	if err != nil {
		panic(err)
	}
	fmt.Println(answers[0].Accounts, "like it, among them", answers[0].Likers)
	// Output: 2 like it, among them [alice]
}
