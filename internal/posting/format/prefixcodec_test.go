// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// TestSuccessor: the number at the end of a key goes on, also from nines.
func TestSuccessor(t *testing.T) {
	for key, want := range map[string]string{"0": "1", "9": "10", "99": "100", "p9": "p10", "p09": "p10",
		"p199": "p200", "a9b9": "a9b10", "1.99": "1.100", "p0": "p1"} {
		if got := Successor([]byte(key)); string(got) != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
}

// TestNearPages: pages of keys with gaps between them come back as pages with slots, and are only
// written where they are much smaller.
func TestNearPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 31))
	for round := range 300 {
		var rows []Row
		key, at := fmt.Sprint("k", rng.IntN(1000)), 0
		for range 1 + rng.IntN(200) {
			rows = append(rows, Row{Offset: uint16(at), Values: 1, Body: AppendKey(nil, key)})
			if at++; rng.IntN(10) == 0 {
				at += rng.IntN(300)
			}
			if rng.IntN(1+round%8) > 0 || !IsDigit(key[len(key)-1]) {
				key = key[:rng.IntN(len(key))] + strings.Repeat(string("x09"[rng.IntN(3)]), 1+rng.IntN(30))
			} else {
				key = string(Successor([]byte(key)))
			}
		}
		want := appendSlots(Keys, rows)
		near := PrefixPage(rows, 1<<30)
		if near == nil {
			t.Fatalf("round %d: got no page", round)
		}
		if got, ok := spelt(near); !ok || !bytes.Equal(got, want) {
			t.Fatalf("round %d: got %x, %v, want %x", round, got, ok, want)
		}
		if got, small := AppendPage(Keys, rows),
			len(near)*prefixPart <= len(want); small != (got[1] == PageVersion) || len(got) > len(want) {
			t.Fatalf("round %d: got version %d for %d bytes, %d with slots", round, got[1], len(near), len(want))
		}
		r := Ref{Field: 1, Generation: 1}
		pageKey := AppendPageKey(nil, 1, &r)
		for cut := range 3 {
			short := bytes.Clone(near[:len(near)-1-cut])
			if len(short) < pageHeaderLen {
				continue
			}
			if seal.Write(pageKey, short); cut == 0 {
				if _, err := OpenPage(&r, pageKey, short); !errors.Is(err, model.ErrCorrupt) {
					t.Fatalf("round %d: got %v for a page that is cut off, want ErrCorrupt", round, err)
				}
			}
		}
	}
	// A page that begins before its first key, as its ref does not.
	beyond := append([]byte{MagicPage, PageVersion, Keys, 0, 0, 0, 0, 0, 3, 0, 0, 0},
		NearNone, 1, 0x01, 'a')
	if got, ok := spelt(beyond); ok {
		t.Errorf("got %x of a page that begins with IDs that have no key, want none", got)
	}
	packed := []Row{{Offset: 0, Values: 1, Body: AppendKey(nil, "did:plc:ewvi7nxzyoun6zhxrhs64oiz")}}
	if PrefixPage(packed, 1<<30) != nil {
		t.Error("got a page of near keys of a packed one")
	}
}
