// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "sync"

// logPins keep log entries from being trimmed while they are copied. The zero value is ready for
// use.
type logPins struct {
	mu   sync.Mutex
	pins map[*logPin]struct{} // guarded by mu
}

// logPin keeps the entries after a number.
type logPin struct{ after uint64 }

// add keeps the entries after a number until the pin is removed.
func (h *logPins) add(after uint64) *logPin {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pins == nil {
		h.pins = make(map[*logPin]struct{})
	}
	p := &logPin{after: after}
	h.pins[p] = struct{}{}
	return p
}

func (h *logPins) remove(p *logPin) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pins, p)
}

// limit returns the last entry that may be trimmed of those up to a number.
func (h *logPins) limit(last uint64) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.pins {
		last = min(last, p.after)
	}
	return last
}
