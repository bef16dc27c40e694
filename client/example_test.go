// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// serve returns the address of a server of an empty database; elsewhere it is that of `uproar
// serve`.
func serve(ctx context.Context) (address string, stop func(), err error) {
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		return "", nil, err
	}
	s, err := server.New(db, nil)
	if err != nil {
		return "", nil, err
	}
	hs := httptest.NewServer(s)
	return hs.URL, func() { hs.Close(); _ = db.Close() }, nil
}

func Example() {
	ctx := context.Background()
	address, stop, err := serve(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	c, err := client.New(address, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()

	g := c.Graph()
	if _, err := g.Follow(ctx, api.Follow{Account: "alice", Target: "bob"},
		api.Follow{Account: "carol", Target: "bob"}); err != nil {
		fmt.Println(err)
		return
	}
	for account, err := range g.Followers("bob").All(ctx) {
		fmt.Println(account, err)
	}
	n, err := c.Count(ctx, "accounts", "followers(bob) and not follows(alice)")
	fmt.Println(n, err)

	reply, err := c.Keys(ctx, "accounts", "follows(zoe)", client.Page{})
	fmt.Println(len(reply.Keys), reply.Unknown, err)

	_, err = c.Count(ctx, "accounts", "folows(zoe)")
	fmt.Println(errors.Is(err, client.ErrUnknownField), err)
	// Output:
	// alice <nil>
	// carol <nil>
	// 2 <nil>
	// 0 [follows(zoe)] <nil>
	// true client: unknown_field: unknown field "folows": did you mean "follows"?
}
