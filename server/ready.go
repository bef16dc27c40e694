// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// checkEvery is how often a server whose disk is in trouble tries whether it still is.
const checkEvery = time.Second

// complainEvery is how often the log says so.
const complainEvery = time.Minute

// diskFailed counts and logs an error of the disk.
func (s *Server) diskFailed(ctx context.Context, e *bound, failed *api.Error, err error) {
	s.metrics.disk.WithLabelValues(string(failed.Reason)).Inc()
	if s.trouble.note(err) {
		logTrouble(ctx, s.opts.Logger, failed.Reason, err, slog.String("endpoint", e.Name),
			slog.String("request_id", requestID(ctx)))
	}
}

// logTrouble logs that the disk takes no writes, and what is to be done. The error names the
// folder.
func logTrouble(ctx context.Context, log *slog.Logger, reason api.Reason, err error, fields ...slog.Attr) {
	try := "free some room: writes go on by themselves within seconds"
	switch {
	case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		try = "a higher limit of open files (ulimit -n): writes go on by themselves once files are closed"
	case reason == api.ReasonFailed:
		try = "see to the disk, then start the server again: until then it only reads"
	}
	log.LogAttrs(ctx, slog.LevelError, "the disk takes no writes", append(fields,
		slog.String("reason", string(reason)), slog.String("try", try), slog.Any("error", err))...)
}

// watchDisk looks every second whether a disk takes writes, and how much space it has left. The log
// says when it takes none, when it fills up, and when that is over. It ends with ctx.
func watchDisk(ctx context.Context, s *Server) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	filling := false
	for {
		_ = s.writable(ctx) // which logs what is new
		filling = watchSpace(ctx, s, filling)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// minFiles is how many more files a disk takes that does not fill up.
const minFiles = 1000

// watchSpace logs that the disk fills up: it has less left than twice the reserve of the database.
// It has space again when that is three times the reserve. filling is what was known before, and
// the result what is now.
func watchSpace(ctx context.Context, s *Server, filling bool) bool {
	space, _ := s.db.Space()
	times, files := uint64(2), uint64(minFiles)
	if filling {
		times, files = 3, 2*minFiles
	}
	now := space.Free < times*space.Reserve || space.Reserve > 0 && space.Files < files
	if now == filling {
		return now
	}
	fields := []slog.Attr{slog.Uint64("free_bytes", space.Free), slog.Uint64("reserve_bytes", space.Reserve)}
	if space.Files != math.MaxUint64 {
		fields = append(fields, slog.Uint64("free_files", space.Files))
	}
	if now {
		s.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "the disk fills up", append(fields, slog.String("try",
			"free some room: writes are refused when less than the reserve is left"))...)
	} else {
		s.opts.Logger.LogAttrs(ctx, slog.LevelInfo, "the disk has room again", fields...)
	}
	return now
}

// writable returns why the disk takes no writes, nil if nothing is known against it. It logs when
// that changes.
func (s *Server) writable(ctx context.Context) error {
	if s.db.ReadOnly() {
		return nil
	}
	err, now := s.trouble.look(func(tried bool) error { return s.db.CheckWrites(ctx, tried) })
	switch {
	case now && err == nil:
		s.opts.Logger.Info("the disk takes writes again")
	case now:
		if failed := call.Failure(err); isDisk(failed) {
			logTrouble(ctx, s.opts.Logger, failed.Reason, err)
		}
	}
	return err
}

// health answers whether the database can be read: a process that runs is not enough.
func (s *Server) health(context.Context, call.NoParameters) (call.Reply, error) {
	for _, name := range s.db.Indexes() {
		if err := s.readable(name); err != nil {
			return nil, err
		}
	}
	return api.HealthReply{Status: "ok", Copy: s.copy.Reply()}, nil
}

// readable looks for a record of an index. It skips an index that is gone or was replaced.
func (s *Server) readable(name string) error {
	index, err := s.db.Index(name)
	if err == nil {
		snapshot := index.Snapshot()
		_, err = snapshot.ID("healthz")
		snapshot.Close()
	}
	switch {
	case errors.Is(err, uproar.ErrUnknownRecord) || errors.Is(err, uproar.ErrUnknownIndex):
		return nil
	case errors.Is(err, uproar.ErrClosed):
		if now, gone := s.db.Index(name); gone == nil && now != index {
			return s.readable(name)
		}
	}
	return err
}

// ready answers whether the server can do all that it is for: read a graph that is loaded to its
// end, and write unless it only reads.
func (s *Server) ready(ctx context.Context, none call.NoParameters) (call.Reply, error) {
	r, err := s.health(ctx, none)
	if err = errors.Join(err, s.copy.Ready()); err != nil {
		return r, err
	}
	if err = s.follows.Whole(ctx); err != nil {
		return r, err
	}
	if err = s.writable(ctx); err == nil && s.AlsoReady != nil {
		if err = s.AlsoReady(); err != nil {
			err = &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonFailed, Message: err.Error()}
		}
	}
	return r, err
}

// metricsText gives what Prometheus reads. A figure that cannot be had is left out, and logged.
func (s *Server) metricsText(context.Context, call.NoParameters) (call.Reply, error) {
	families, err := s.metrics.registry.Gather()
	if err != nil {
		s.opts.Logger.Error("metrics", "error", err)
	}
	form := expfmt.NewFormat(expfmt.TypeTextPlain)
	var b bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			return nil, err
		}
	}
	return call.Text{ContentType: string(form), Body: b.Bytes()}, nil
}

// trouble is what is known of the disk. It is noted when a write fails for it, or would, and
// forgotten when one succeeds. Safe for concurrent use.
type trouble struct {
	mu         sync.Mutex
	err        error     // nil: none
	checked    time.Time // when it was last tried whether it is still there
	complained time.Time
}

// note takes an error that a call is answered with. now reports whether to log it.
func (t *trouble) note(err error) (now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
	if now = time.Since(t.complained) >= complainEvery; now {
		t.complained = time.Now()
	}
	return now
}

// look calls check if it is time to, and returns what is known then. now reports whether trouble
// has begun or ended by it.
func (t *trouble) look(check func(tried bool) error) (err error, now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.err
	switch {
	case before == nil:
		t.err = check(false)
	case time.Since(t.checked) >= checkEvery:
		t.checked, t.err = time.Now(), check(true)
	}
	if now = (before == nil) != (t.err == nil); now {
		t.checked, t.complained = time.Now(), time.Now()
	}
	if t.err == nil {
		t.complained = time.Time{} // the next trouble is another
	}
	return t.err, now
}

// isDisk reports whether an error is the disk's.
func isDisk(e *api.Error) bool {
	return e.Code == api.CodeUnavailable && (e.Reason == api.ReasonFull || e.Reason == api.ReasonFailed)
}
