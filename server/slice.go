// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"log/slog"
	"time"
)

// DefaultSlice is a good Options.Slice for a program that does little else than serve.
const DefaultSlice = 100 * time.Microsecond

// readsPerYield is after how many requests of a connection others may have the processor, with short slices. A server that always has a request to read never sleeps, and would hold it until a tick of the clock, 1 to
// 10 ms, while its clients on the same processors wait with the answers; asking each time would leave work for which there is nobody else.
const readsPerYield = 4

// shareProcessors shortens the slices of this process, if that is wanted. That it cannot be is no error: it makes answers later, not wrong.
func (s *Server) shareProcessors() {
	if s.opts.Slice <= 0 {
		return
	}
	if err := shortenSlices(s.opts.Slice); err != nil {
		s.opts.Logger.Debug("threads keep their slices", slog.Any("error", err))
	}
}
