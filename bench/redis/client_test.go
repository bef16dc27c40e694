// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package redis

import (
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	client "github.com/redis/go-redis/v9"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestGoRedis asks with the client of Go that most use, in both versions of the protocol.
func TestGoRedis(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := resp.New(ctx, db, resp.Options{Index: "redis"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(ctx, ln) }()
	for _, protocol := range []int{2, 3} {
		r := client.NewClient(&client.Options{Addr: ln.Addr().String(), Protocol: protocol, ClientName: "test"})
		defer r.Close()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(r.FlushAll(ctx).Err())
		n, err := r.SAdd(ctx, "a", "x", "", "\x00\xff", "x").Result()
		if err != nil || n != 3 {
			t.Errorf("SADD: got %d, %v, want 3", n, err)
		}
		members, err := r.SMembers(ctx, "a").Result()
		must(err)
		if slices.Sort(members); !slices.Equal(members, []string{"", "\x00\xff", "x"}) {
			t.Errorf("SMEMBERS: got %q", members)
		}
		in, err := r.SMIsMember(ctx, "a", "", "no").Result()
		if err != nil || !slices.Equal(in, []bool{true, false}) {
			t.Errorf("SMISMEMBER: got %v, %v", in, err)
		}
		common, err := r.SInterCard(ctx, 0, "a", "a").Result()
		if err != nil || common != 3 {
			t.Errorf("SINTERCARD: got %d, %v, want 3", common, err)
		}
		must(r.Expire(ctx, "a", time.Hour).Err())
		if left, err := r.TTL(ctx, "a").Result(); err != nil || left != time.Hour {
			t.Errorf("TTL: got %v, %v, want 1h", left, err)
		}
		var card *client.IntCmd
		_, err = r.TxPipelined(ctx, func(p client.Pipeliner) error {
			p.SAdd(ctx, "b", 1, 2)
			p.SUnionStore(ctx, "c", "a", "b")
			card = p.SCard(ctx, "c")
			return nil
		})
		if err != nil || card.Val() != 5 {
			t.Errorf("a transaction: got %d, %v, want 5", card.Val(), err)
		}
		err = r.Watch(ctx, func(tx *client.Tx) error {
			must(r.SAdd(ctx, "a", "more").Err())
			_, err := tx.TxPipelined(ctx, func(p client.Pipeliner) error { p.SAdd(ctx, "a", "late"); return nil })
			return err
		}, "a")
		if !errors.Is(err, client.TxFailedErr) {
			t.Errorf("a watched key that has changed: got %v, want TxFailedErr", err)
		}
		scanned := 0
		for it := r.SScan(ctx, "c", 0, "", 2).Iterator(); it.Next(ctx); scanned++ {
		}
		if scanned != 5 {
			t.Errorf("SSCAN: got %d members, want 5", scanned)
		}
		if _, err := r.SPop(ctx, "none").Result(); !errors.Is(err, client.Nil) {
			t.Errorf("SPOP of nothing: got %v, want Nil", err)
		}
		found, err := r.Do(ctx, "UP.QUERY", "redis", "sets = b and not sets = a").StringSlice()
		if err != nil || !slices.Equal(found, []string{"1", "2"}) {
			t.Errorf("UP.QUERY: got %q, %v", found, err)
		}
	}
}
