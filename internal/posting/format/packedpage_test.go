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

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// lookalike returns a key of the form of another: x stands for any of some characters.
func lookalike(rng *rand.Rand, form, characters string) string {
	key := []byte(form)
	for i, c := range key {
		if c == 'x' {
			key[i] = characters[rng.IntN(len(characters))]
		}
	}
	return string(key)
}

// keyRows returns keys as rows, with gaps where they are empty.
func keyRows(keys ...string) (rows []Row) {
	for i, key := range keys {
		if key != "" {
			rows = append(rows, Row{Offset: uint16(i), Values: 1, Body: AppendKey(nil, key)})
		}
	}
	return rows
}

// TestPackedSizes: keys of the usual kinds take not much more than chance has given them.
func TestPackedSizes(t *testing.T) {
	const hex, crockford, base58 = "0123456789abcdef", "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
		"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	for _, kind := range []struct {
		form, characters string
		most             float64 // bytes of a key; chance alone has said before
	}{
		{"xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx", hex, 15.4},                    // 15
		{"XXXXXXXX-XXXX-4XXX-AXXX-XXXXXXXXXXXX", "0123456789ABCDEF", 15.4},     // 15
		{"018F3C2A-1xxx-7xxx-bxxx-xxxxxxxxxxxx", "0123456789ABCDEF", 10.8},     // 10.5
		{"01HF7YATxxxxxxxxxxxxxxxxxx", crockford, 11.5},                        // 11.25
		{"3m6i4wxxxxxxx", "234567abcdefghijklmnopqrstuvwxyz", 4.6},             // 4.4
		{"user:xxxxxxxxx", "0123456789", 3.9},                                  // 3.7
		{"7xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", base58, 32.3},         // 31.5
		{"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", hex, 20.3},                // 20
		{"https://a.test/users/xxxxxxxxxxx/avatar.png", hex + "_-ABCDEF", 6.6}, // 6.3
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		keys, plain := make([]string, 800), 0
		for i := range keys {
			keys[i] = lookalike(rng, strings.ReplaceAll(kind.form, "X", "x"), kind.characters)
			plain += len(keys[i])
		}
		page := packKeys(keyRows(keys...), plain)
		if each := float64(len(page)) / float64(len(keys)); page == nil || each > kind.most {
			t.Errorf("%s: got %.2f bytes a key, want at most %.2f", kind.form, each, kind.most)
		}
	}
}

// TestPackedPrefixes: what keys in a row begin with is stored once.
func TestPackedPrefixes(t *testing.T) {
	const digits = "abcdefghijklmnopqrstuvwxyz234567"
	rng := rand.New(rand.NewPCG(3, 4))
	var keys []string
	for range 20 {
		author := lookalike(rng, "at://did:plc:xxxxxxxxxxxxxxxxxxxxxxxx/app.bsky.feed.post/3m6i4wxxxxxxx", digits)
		for range 50 {
			keys = append(keys, author[:len(author)-5]+lookalike(rng, "xxxxx", digits))
		}
	}
	page := packKeys(keyRows(keys...), 1<<20)
	if each := float64(len(page)) / float64(len(keys)); page == nil || each > 4.2 {
		t.Errorf("got %.2f bytes a key, want 3.1, 0.4 of the prefix and little more", each)
	}
}

// TestPackedPages: pages of keys of several lengths, with gaps, come back as pages with slots. A
// page that is cut off, or too long, is none.
func TestPackedPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		var keys []string
		for range 1 + rng.IntN(300) {
			key := strings.Repeat("x", rng.IntN(1+round%9)) + "-xxx"
			keys = append(keys, lookalike(rng, key, []string{"01", "0123456789", "abc\x00\xff"}[round%3]))
			if rng.IntN(20) == 0 {
				keys = append(keys, "did:plc:ewvi7nxzyoun6zhxrhs64oiz")
			}
			for rng.IntN(10) < round%3 {
				keys = append(keys, "")
			}
		}
		for keys[len(keys)-1] == "" {
			keys = keys[:len(keys)-1]
		}
		rows := keyRows(keys...)
		packed := packKeys(rows, 1<<30)
		if got, ok := unpacked(packed); !ok || !bytes.Equal(got, appendSlots(Keys, rows)) {
			t.Fatalf("round %d: got %v, or other keys", round, ok)
		}
		// Whether it is small enough is known before it is written, but for some bytes at its end.
		const end = 12
		if packKeys(rows, len(packed)*4/packedPart+4) == nil ||
			packKeys(rows, (len(packed)-end)*4/packedPart-4) != nil {
			t.Fatalf("round %d: got a page or none of %d bytes at other sizes", round, len(packed))
		}
		if _, ok := unpacked(packed[:len(packed)-1]); ok {
			t.Fatalf("round %d: got a page that is cut off", round)
		}
		if _, ok := unpacked(append(bytes.Clone(packed), 0)); ok {
			t.Fatalf("round %d: got a page that has a byte too many", round)
		}
	}
	long := keyRows(strings.Repeat("a", packedLength+1))
	if packKeys(long, 1<<20) != nil {
		t.Error("got a packed page of a key that is too long")
	}
}

// TestPackedVersion: version 3 is that of packed pages only.
func TestPackedVersion(t *testing.T) {
	r := Ref{Field: 1, Generation: 1}
	key := AppendPageKey(nil, 1, &r)
	data := appendSlots(Keys, keyRows("a", "b"))
	data[1] = packedPage
	seal.Write(key, data)
	if _, err := OpenPage(&r, key, data); !errors.Is(err, model.ErrVersion) {
		t.Errorf("got %v, want ErrVersion", err)
	}
}

// FuzzPacked reads any bytes as a packed page, and packs the keys that they have again.
func FuzzPacked(f *testing.F) {
	for _, keys := range [][]string{{"p1", "p2", "", "p30"}, {"a"}, {"ab-1", "ab-2", "cd-3", "cd-4"},
		{"did:plc:ewvi7nxzyoun6zhxrhs64oiz", "x"}} {
		f.Add(packKeys(keyRows(keys...), 1<<20))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < pageHeaderLen {
			return
		}
		slots, ok := unpacked(data)
		if !ok {
			return
		}
		r := Ref{Field: 1}
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, slots)
		p, err := OpenPage(&r, key, slots)
		if err != nil {
			t.Fatal(err)
		}
		var rows []Row
		if err := p.All(func(row uint64, body []byte) error {
			rows = append(rows, Row{Offset: uint16(row), Values: 1, Body: body})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if again := packKeys(rows, 1<<30); again != nil {
			if back, ok := unpacked(again); !ok || !bytes.Equal(back[HeaderLen:], slots[HeaderLen:]) {
				t.Fatalf("got %v, or other keys than before", ok)
			}
		}
	})
}

func TestGoldenPackedKeys(t *testing.T) {
	r := Ref{Field: 1, First: 300, Generation: 109, Rows: 25}
	var keys []string
	for i := range 24 {
		keys = append(keys, fmt.Sprintf("%08x-%02d:%c", uint32(i/6)*0x9e3779b9, i*i%100, "xyz"[i%3]))
		if i == 5 {
			keys = append(keys, "")
		}
	}
	keys[8] = "user:17"
	data := packKeys(keyRows(keys...), 1<<20)
	key := AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := OpenPage(&r, key, data)
	if err != nil || data[1] != packedPage {
		t.Fatalf("got version %d, %v, want a packed page", data[1], err)
	}
	back := fmt.Sprintf("%d rows", p.Rows())
	for i := range uint64(p.Rows()) {
		back += fmt.Sprintf("\n%q", p.Row(i))
	}
	golden.Entry(t, "page-packed-keys", "keys of IDs 300 to 324 of two lengths, of which one has none, packed", key, data,
		back)
}

// BenchmarkUnpack spells a page of random UUIDs out, as a read past the cache does.
func BenchmarkUnpack(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	keys := make([]string, 800)
	for i := range keys {
		keys[i] = lookalike(rng, "xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx", "0123456789abcdef")
	}
	rows := keyRows(keys...)
	page := packKeys(rows, 1<<20)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			unpacked(page)
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			packKeys(rows, 1<<20)
		}
	})
}
