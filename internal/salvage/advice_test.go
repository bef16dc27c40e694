// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestAdvise looks at what an error by which a salvage ends says to try: it is not a salvage.
func TestAdvise(t *testing.T) {
	damage := fmt.Errorf("%w: the log is cut. Try: restore a backup, or uproar salvage", store.ErrCorrupt)
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{io.EOF, "EOF"},
		{damage, store.ErrCorrupt.Error() + ": the log is cut. Try: a backup"},
		{errors.Join(damage, io.EOF), store.ErrCorrupt.Error() + ": the log is cut\nEOF. Try: a backup"},
		{store.ErrCorrupt, store.ErrCorrupt.Error() + ". Try: a backup"},
	} {
		got := Advise(test.err)
		if !errors.Is(got, test.err) {
			t.Errorf("got %v, want %v in it", got, test.err)
		}
		if text := strings.TrimPrefix(fmt.Sprint(got), "<nil>"); text != test.want {
			t.Errorf("got %q, want %q", text, test.want)
		}
	}
}

// unread is a store with pages that cannot be read, for which it says to try a salvage.
type unread struct{ store.Store }

func (u unread) Get(key []byte, fn func(value []byte) error) error {
	if _, isPage := format.PageGeneration(key); isPage {
		return fmt.Errorf("%w: a page. Try: restore a backup, or uproar salvage", store.ErrCorrupt)
	}
	return u.Store.Get(key, fn)
}

// TestReportWithoutAdvice salvages a database with damage of each kind that errors are kept of: the
// report does not say to try a salvage.
func TestReportWithoutAdvice(t *testing.T) {
	s := memstore.New()
	fill(t, kept{s}, 200, 2)
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	defer db.Close()
	found := fmt.Errorf("%w: a log is missing. Try: restore a backup, or uproar salvage", store.ErrCorrupt)
	report, err := Copy(t.Context(), unread{s}, db, Options{Found: found})
	must(t, err)
	var text strings.Builder
	must(t, report.Text(&text))
	if got := text.String(); strings.Contains(got, "Try:") || !strings.Contains(got, "a log is missing\n") ||
		!strings.Contains(got, "a page\n") {
		t.Errorf("got %s, want the damage, without advice", got)
	}
}
