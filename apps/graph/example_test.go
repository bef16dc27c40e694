// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	g, err := graph.Open(ctx, db)
	if err != nil {
		log.Fatal(err)
	}
	_, err = g.Follow(ctx,
		graph.Follow{Account: "alice", Target: "bob"},
		graph.Follow{Account: "alice", Target: "carol"},
		graph.Follow{Account: "bob", Target: "alice"},
		graph.Follow{Account: "carol", Target: "bob"})
	if err != nil {
		log.Fatal(err)
	}

	n, err := g.Followers("bob").Count(ctx)
	fmt.Println(n, err)
	page, err := g.FollowsFollowing("alice", "bob").Page(ctx, uproar.Page{Limit: 10})
	fmt.Println(page.Keys, page.More, err)
	for account, err := range g.Mutuals("alice").All(ctx) {
		fmt.Println(account, err)
	}
	_, err = g.Followers("zoe").Count(ctx)
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// [carol] false <nil>
	// bob <nil>
	// graph: unknown account "zoe"
}

func ExampleEdgeList() {
	text := "# follower, followed\nalice,bob\nbob\n\"carol\",alice\n"
	for follow, err := range graph.NewEdgeList(strings.NewReader(text), nil).Follows() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(follow.Account, "follows", follow.Target)
	}
	// Output:
	// alice follows bob
	// graph: line 3: "bob": want 2 columns separated by comma, got 1
	// carol follows alice
}
