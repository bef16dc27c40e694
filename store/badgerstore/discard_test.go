// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// discarded returns a closed store with three in four of its n values replaced. used is how many
// bytes of its knowledge of garbage are in use.
func discarded(t *testing.T, n int) (dir string, used int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "db")
	s, err := openStore(dir, &Options{QuietAfter: time.Hour}, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, n)
	for i := range n {
		if i%4 != 0 {
			putLarge(t, s, i, i+1)
		}
	}
	if err := s.house.learn(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	data, err := os.ReadFile(filepath.Join(dir, discardFile))
	if err != nil {
		t.Fatal(err)
	}
	used = len(bytes.TrimRight(data, "\x00"))
	used = (used + discardSlot - 1) / discardSlot * discardSlot
	if used < 2*discardSlot {
		t.Fatalf("Badger knows of %d files with garbage, want some", used/discardSlot)
	}
	return dir, used
}

// TestDamagedDiscard changes what Badger keeps of garbage.
func TestDamagedDiscard(t *testing.T) {
	if !locks {
		t.Skip("nothing is removed where nobody is kept away")
	}
	const n = 900
	dir, used := discarded(t, n)
	if damage, err := dropDamagedDiscard(dir, 0); damage != "" || err != nil {
		t.Fatalf("what Badger has written: got %q, %v, want no damage", damage, err)
	}
	t.Run("bits", func(t *testing.T) { testDiscardBits(t, dir, used) })
	t.Run("collected", func(t *testing.T) { testCollectDamagedDiscard(t, dir, used, n) })
}

// testDiscardBits changes each bit that is in use. Badger must then find a file to collect, or
// none, unless the damage is noticed: it would look forever, or take a negative amount for the
// largest.
func testDiscardBits(t *testing.T, dir string, used int) {
	newest, err := newestValueLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, discardFile), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	whole := make([]byte, used)
	if _, err := f.ReadAt(whole, 0); err != nil {
		t.Fatal(err)
	}
	noticed := 0
	for bit := range used * 8 {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		if _, err := f.WriteAt(damaged, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		damage, err := discardDamage(f, newest)
		if err != nil {
			t.Fatal(err)
		}
		if damage != "" {
			noticed++
		} else if err := picks(dir); err != nil {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
	}
	if want := used / discardSlot * (32 + 1); noticed < want {
		t.Errorf(
			"%d of %d bits were noticed, want %d at least: of each number those beyond 32, of each amount the top one",
			noticed, used*8, want)
	}
	if _, err := f.WriteAt(whole, 0); err != nil {
		t.Fatal(err)
	}
}

// picks does what Badger's pickLog does with its knowledge of garbage. It returns an error where
// that would not end, or collect nothing.
func picks(dir string) error {
	stats, err := badger.InitDiscardStats(badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return err
	}
	defer stats.Close(-1)
	for range 100 {
		file, garbage := stats.MaxDiscard()
		if file == 0 {
			return nil // all is forgotten
		}
		if garbage < 0 {
			return fmt.Errorf("the largest amount is %d, of file %d", garbage, file)
		}
		if _, err := os.Stat(valueLogPath(dir, file)); err == nil {
			return nil
		}
		stats.Update(file, -1)
	}
	return errors.New("Badger looks for files that are not there forever")
}

// testCollectDamagedDiscard opens and compacts stores of n values whose knowledge of garbage is
// damaged: nothing may hang, or end the process, and no value be lost. Whoever is to look after the
// disk is told.
func testCollectDamagedDiscard(t *testing.T, dir string, used, n int) {
	whole, err := os.ReadFile(filepath.Join(dir, discardFile))
	if err != nil {
		t.Fatal(err)
	}
	swapped := append(bytes.Clone(whole[discardSlot:2*discardSlot]), whole[:discardSlot]...)
	swapped = append(swapped, whole[2*discardSlot:]...)
	flipped := func(at int, bit byte) []byte { b := bytes.Clone(whole); b[at] ^= bit; return b }
	for what, c := range map[string]struct {
		data []byte
		told bool
	}{
		"whole":                    {whole, false},
		"empty":                    {nil, false},
		"5 bytes":                  {whole[:5], true},
		"one entry":                {whole[:discardSlot], true},
		"half":                     {whole[:discardSize/2], true},
		"a number of a file":       {flipped(2, 1), true},
		"a number below 2^32":      {flipped(4, 0x80), true},
		"a number that is none":    {flipped(7, 1), used > discardSlot},
		"the top bit of an amount": {flipped(8, 0x80), true},
		"a low bit of an amount":   {flipped(12, 1), false},
		"not sorted yet":           {swapped, false},
		"the second number is twice": {append(bytes.Clone(whole[:discardSlot]), whole[:len(whole)-discardSlot]...),
			true},
	} {
		t.Run(what, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "db")
			if err := os.CopyFS(db, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(db, discardFile), c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			s, err := openStore(db, &Options{QuietAfter: time.Hour, Logger: slog.New(slog.NewTextHandler(&out, nil))},
				smallFile)
			if err != nil {
				t.Fatal(err)
			}
			if told := strings.Contains(out.String(), "level=WARN") &&
				strings.Contains(out.String(), discardFile); told != c.told {
				t.Errorf("the log has %q, want a warning: %v", out.String(), c.told)
			}
			compacted := make(chan error, 1)
			go func() { compacted <- s.Compact(t.Context()) }()
			select {
			case err := <-compacted:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("Compact does not return")
			}
			if lost := unreadable(t, s, 0, n); lost != nil {
				t.Errorf("values %v cannot be read", lost)
			}
			mustClose(t, s)
		})
	}
}

// TestDiscardDamage has single files, of a value log up to file 9.
func TestDiscardDamage(t *testing.T) {
	of := func(numbers ...uint64) []byte {
		b := make([]byte, 0, discardSize)
		for _, n := range numbers {
			b = binary.BigEndian.AppendUint64(b, n)
		}
		return b[:discardSize]
	}
	behind := of(1, 10)
	behind[discardSize-1] = 1
	full := make([]uint64, discardSize/8)
	for i := range full {
		full[i] = uint64(i/2 + 1)
	}
	for what, c := range map[string]struct {
		data   []byte
		newest uint32
		want   string
	}{
		"no bytes":             {nil, 9, ""},
		"nothing known":        {of(), 9, ""},
		"two files":            {of(1, 10, 9, 20), 9, ""},
		"nothing of a file":    {of(1, 0, 9, 20), 9, ""},
		"most of a file":       {of(1, math.MaxUint32), 9, ""},
		"twice as long":        {append(of(1, 10), of()...), 9, ""},
		"three times as long":  {append(append(of(1, 10), of()...), of()...), 9, "bytes"},
		"a byte too short":     {of(1, 10)[1:], 9, "bytes"},
		"more than any file":   {of(1, 65*64<<20), 9, ""},
		"the greatest amount":  {of(1, math.MaxInt64), 9, ""},
		"a file to come":       {of(1, 10, 10, 20), 9, "file 10, want one of 1 to 9"},
		"beyond 32 bits":       {of(1, 10, 1<<32+2, 20), math.MaxUint32, "file 4294967298"},
		"the same file":        {of(1, 10, 1, 20), 9, "entry 1 is of file 1, as one before"},
		"the same file later":  {of(1, 10, 3, 20, 2, 30, 1, 40), 9, "entry 3 is of file 1, as one before"},
		"not sorted yet":       {of(1, 10, 3, 20, 2, 30), 9, ""},
		"half sorted":          {of(1, 10, 3, 30, 3, 30), 9, "entry 2 is of file 3, as one before"},
		"an amount to be set":  {of(1, 10, 3, 20, 2, 0), 9, ""},
		"the top bit":          {of(1, 1<<63), 9, "9223372036854775808 bytes of garbage in file 1"},
		"an amount of no file": {of(0, 1), 9, "file 0"},
		"behind the end":       {behind, 9, "entry 1 is empty"},
		"no end":               {of(full...), math.MaxUint32, "no end"},
	} {
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), discardFile)
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, err := discardDamage(f, c.newest)
			if err != nil || !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}
