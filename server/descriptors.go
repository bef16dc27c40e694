// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"log/slog"
	"math"

	"github.com/uproar-db/uproar/internal/descriptor"
)

const (
	// connectionShare bounds connections to one in connectionShare of the files that the process
	// can still open. The store needs the others: it takes no writes when it could open too few.
	connectionShare = 2

	// maxLeaving is how many refused connections may be taking their answer, unless there may be
	// fewer others, or few files.
	maxLeaving = 256

	// leavingShare bounds refused connections that still take their answer: they may be one in
	// leavingShare of that room.
	leavingShare = 4
)

// affordable returns how many of the wanted connections there may be, and how many refused ones
// beside them. files is how many more files the process can open.
func affordable(wanted, files int64) (most, leaving int64) {
	room := files / connectionShare
	leaving = max(0, min(maxLeaving, wanted, room/leavingShare))
	return max(1, min(wanted, room-leaving)), leaving
}

// mostConnections returns how many connections Serve has at a time, and how many refused ones
// beside them.
func (s *Server) mostConnections() (most, leaving int64) {
	wanted := int64(s.opts.MaxConnections)
	enough := min(wanted+maxLeaving, math.MaxInt32/connectionShare) * connectionShare
	files, err := descriptor.Free(int(enough))
	if err != nil {
		s.opts.Logger.Warn("how many files can be opened is not known", slog.Any("error", err))
		return wanted, min(maxLeaving, wanted)
	}
	most, leaving = affordable(wanted, int64(files))
	if most < wanted {
		s.opts.Logger.Warn("fewer connections than MaxConnections: with those that are refused, half of the files "+
			"that the process can still open. Try: a higher limit of open files (ulimit -n)",
			slog.Int64("connections", most), slog.Int64("wanted", wanted), slog.Int("files", files))
	}
	return most, leaving
}
