// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync"
)

// logPins keep log entries from being trimmed while they are copied. The zero value is ready for
// use.
type logPins struct {
	mu    sync.Mutex
	after map[*Export]uint64
}

// add holds the entries after a number.
func (h *logPins) add(e *Export, after uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.after == nil {
		h.after = make(map[*Export]uint64)
	}
	h.after[e] = after
}

func (h *logPins) remove(e *Export) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.after, e)
}

// limit returns the last entry that may be trimmed of those up to a number.
func (h *logPins) limit(last uint64) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, after := range h.after {
		last = min(last, after)
	}
	return last
}
