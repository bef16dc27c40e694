// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// base32Of returns the lower bits of x as digits, the last five bits last.
func base32Of(alphabet string, x uint64, digits int) string {
	text := make([]byte, digits)
	for i := digits - 1; i >= 0; i-- {
		text[i], x = alphabet[x&31], x>>5
	}
	return string(text)
}

// shapes are what members of sets of Redis look like.
var shapes = []struct {
	name string
	make func(i int) string
}{
	{"user:123", func(i int) string { return fmt.Sprint("user:", i*618_033_989%1_000_000_007) }},
	{"uuid", func(int) string {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:], rand.Uint64())
		binary.BigEndian.PutUint64(b[8:], rand.Uint64())
		h := hex.EncodeToString(b[:])
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
	}},
	{"ulid", func(i int) string {
		const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
		return base32Of(crockford, uint64(1_700_000_000_000+i/4), 10) + base32Of(crockford, rand.Uint64(), 8) +
			base32Of(crockford, rand.Uint64(), 8)
	}},
	{"tid", func(i int) string {
		const sortable = "234567abcdefghijklmnopqrstuvwxyz"
		return base32Of(sortable, (1_700_000_000_000_000+uint64(i)*317)<<10|rand.Uint64N(1024), 13)
	}},
	{"did", func(int) string {
		const digits = "abcdefghijklmnopqrstuvwxyz234567"
		return "did:plc:" + base32Of(digits, rand.Uint64(), 12) + base32Of(digits, rand.Uint64(), 12)
	}},
	{"at-uri", func(i int) string {
		const digits, sortable = "abcdefghijklmnopqrstuvwxyz234567", "234567abcdefghijklmnopqrstuvwxyz"
		author := rand.New(rand.NewPCG(uint64(i/50), 1))
		return "at://did:plc:" + base32Of(digits, author.Uint64(), 12) + base32Of(digits, author.Uint64(), 12) +
			"/app.bsky.feed.post/" + base32Of(sortable, (1_700_000_000_000_000+uint64(i)*317)<<10, 13)
	}},
}

// BenchmarkIntern adds new members of each shape to one set, 512 a command, and reports how many a
// second, and what each takes in pages: its key, its way to its ID, and its place in the set.
func BenchmarkIntern(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			db, err := uproar.Open(b.Context(), memstore.New(), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			s, err := Open(b.Context(), db, "redis", nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			n := 0
			start := time.Now()
			for b.Loop() {
				add := &adding{}
				for range 512 {
					add.members = append(add.members, []byte(shape.make(n)))
					n++
				}
				if err := s.Do(b.Context(), add); err != nil || add.err != nil {
					b.Fatal(err, add.err)
				}
			}
			b.ReportMetric(float64(n)/time.Since(start).Seconds(), "members/s")
			if err := s.index.Load().Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
			stats, err := s.index.Load().Stats()
			if err != nil {
				b.Fatal(err)
			}
			all := uint64(0)
			for _, f := range stats.Fields {
				all += f.Bytes
				if f.Bytes > uint64(n)/2 {
					b.ReportMetric(float64(f.Bytes)/float64(n), "B/"+f.Name)
				}
			}
			b.ReportMetric(float64(all)/float64(n), "B/member")
		})
	}
}

// adding is a job that adds members.
type adding struct {
	members [][]byte
	err     error
}

// Run adds the members.
func (a *adding) Run(st *State) bool {
	r, err := st.Row([]byte("all"))
	if err == nil {
		_, err = r.Add(a.members...)
	}
	a.err = err
	return true
}

// Keep does nothing.
func (a *adding) Keep() {}
