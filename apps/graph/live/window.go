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

// window remembers what was noted of accounts of late: of as many as its capacity at least. It
// takes bounded memory.
type window[V any] struct {
	young, old map[string]V
	capacity   int
}

func newWindow[V any](capacity int) *window[V] {
	return &window[V]{young: make(map[string]V), capacity: capacity}
}

// of returns what was noted of an account.
func (w *window[V]) of(account string) (v V, known bool) {
	if v, known = w.young[account]; known {
		return v, true
	}
	v, known = w.old[account]
	return v, known
}

// note remembers something of an account, and forgets accounts that nothing was noted of for long.
func (w *window[V]) note(account string, v V) {
	if _, known := w.young[account]; !known && len(w.young) >= w.capacity {
		w.old, w.young = w.young, make(map[string]V, w.capacity)
	}
	w.young[account] = v
}

// drop forgets an account.
func (w *window[V]) drop(account string) {
	delete(w.young, account)
	delete(w.old, account)
}
