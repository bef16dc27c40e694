// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

// windowAccounts is how many accounts one half of a window has.
const windowAccounts = 1 << 17

// seen is what came of an account.
type seen struct {
	rev     string // the latest
	live    bool   // not only what was fetched with the repository
	state   int64  // the ID of the last event about the account's state
	session uint64 // the connection that the ID is of: other connections number anew
	marked  bool   // it is to be fetched anew, which stands in the graph only
}

// window remembers the accounts of which something came of late: the last 131 072 at least. It
// takes bounded memory.
type window struct {
	young, old map[string]seen
	capacity   int
}

func newWindow(capacity int) *window {
	return &window{young: make(map[string]seen), capacity: capacity}
}

// of returns what came of an account.
func (w *window) of(account string) (s seen, known bool) {
	if s, known = w.young[account]; known {
		return s, true
	}
	s, known = w.old[account]
	return s, known
}

// note remembers what came of an account, and forgets those that nothing was noted of for long.
func (w *window) note(account string, s seen) {
	if _, known := w.young[account]; !known && len(w.young) >= w.capacity {
		w.old, w.young = w.young, make(map[string]seen, w.capacity)
	}
	w.young[account] = s
}
