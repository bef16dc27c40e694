// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph/likes"
)

// crowded has n accounts like a subject, each in a second of its own.
func crowded(t *testing.T, l *likes.Likes, subject string, n int) {
	t.Helper()
	for from := 0; from < n; from += 5_000 {
		var list []likes.Change
		for i := from; i < min(n, from+5_000); i++ {
			list = append(list, likes.Change{Account: account(i), Key: tid(i), Subject: subject})
		}
		write(t, l, list...)
	}
}

// tid is the key of a second.
func tid(second int) string { return tidOf((1_700_000_000+int64(second))*1e6, 3) }

// subjectsOf returns all that an account likes.
func subjectsOf(t *testing.T, l *likes.Likes, account string) []string {
	t.Helper()
	subjects, _, err := l.Subjects(t.Context(), account, uproar.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return subjects
}

// TestUnlikeOfMany takes records of a subject with many likes away in each order: the account likes
// it as long as there is one.
func TestUnlikeOfMany(t *testing.T) {
	_, _, l := opened(t)
	crowded(t, l, "feed", 1_500)
	keys := []string{tid(7), tid(900_000), "self", "other"}
	for round := range 24 {
		order, left := slices.Clone(keys), round
		for i := len(order) - 1; i > 0; i-- {
			order[i], order[left%(i+1)] = order[left%(i+1)], order[i]
			left /= i + 1
		}
		fan := fmt.Sprint("fan", round)
		for _, key := range keys {
			write(t, l, likes.Change{Account: fan, Key: key, Subject: "feed"})
		}
		for i, key := range order {
			write(t, l, likes.Change{Account: fan, Key: key})
			want := []string{"feed"}
			if i == len(order)-1 {
				want = nil
			}
			if got := subjectsOf(t, l, fan); !slices.Equal(got, want) {
				t.Fatalf("%q: after %d of them: got %q, want %q", order, i+1, got, want)
			}
		}
	}
}

// TestUnlikeReadsLittle: an unlike of a subject with many likes does not read them all.
func TestUnlikeReadsLittle(t *testing.T) {
	_, g, l := opened(t)
	const many = 100_000
	crowded(t, l, "feed", many)
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	least := uint64(1 << 62) // of some, as a flush may run beside
	for i := range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		write(t, l, likes.Change{Account: account(i * many / 5), Key: tid(i * many / 5)})
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if most := uint64(16 * many / 2); least > most {
		t.Errorf("an unlike took %d bytes, want at most %d: 16 a like for half of them", least, most)
	}
}
