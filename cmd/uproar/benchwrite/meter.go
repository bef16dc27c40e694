// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

const (
	sampleEvery = 250 * time.Millisecond
	stallsKept  = 10
)

// meter counts what is written, and watches the process and the disk meanwhile.
type meter struct {
	opts   *Options
	engine *engine
	start  time.Time

	compact *compactor // nil: nobody compacts

	mu      sync.Mutex
	paused  time.Duration // in all, which is left out of all times
	stopped time.Time     // when the present pause began; zero when there is none
	count   int64
	bytes   int64
	slowest time.Duration // in the present interval
	batches histogram
	stalls  []Stall // descending

	intervals []Interval
	memory    int64
	disk      int64
	ended     time.Duration
}

func newMeter(o *Options, e *engine) *meter {
	return &meter{opts: o, engine: e, start: time.Now(), memory: -1}
}

// since returns for how long writing has gone on, without pauses.
func (m *meter) since() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.elapsed()
}

// elapsed is since, under the lock.
func (m *meter) elapsed() time.Duration {
	now := time.Now()
	if !m.stopped.IsZero() {
		now = m.stopped
	}
	return now.Sub(m.start) - m.paused
}

// pause stops the clock, and returns its time and what was written.
func (m *meter) pause() (at time.Duration, bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at = m.elapsed()
	m.stopped = time.Now()
	return at, m.bytes
}

// resume has the clock go on.
func (m *meter) resume() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paused += time.Since(m.stopped)
	m.stopped = time.Time{}
}

// note counts a batch. It is safe for concurrent use.
func (m *meter) note(count, bytes int64, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.count, m.bytes = m.count+count, m.bytes+bytes
	m.slowest = max(m.slowest, took)
	before := m.batches.count
	m.batches.note(took)
	m.compact.wrote(before)
	s := Stall{At: seconds(m.elapsed()), Took: seconds(took)}
	if len(m.stalls) == stallsKept && m.stalls[stallsKept-1].Took >= s.Took {
		return
	}
	// What makes one writer wait makes the others wait as well: of batches that overlap the longest
	// stands for all.
	if slices.ContainsFunc(m.stalls, func(o Stall) bool { return o.Took >= s.Took && s.overlaps(o) }) {
		return
	}
	m.stalls = slices.DeleteFunc(m.stalls, s.overlaps)
	at := slices.IndexFunc(m.stalls, func(o Stall) bool { return o.Took < s.Took })
	if at < 0 {
		at = len(m.stalls)
	}
	m.stalls = slices.Insert(m.stalls, at, s)
	m.stalls = m.stalls[:min(len(m.stalls), stallsKept)]
}

// overlaps reports whether two batches were under way at some time.
func (s Stall) overlaps(o Stall) bool { return s.At-s.Took < o.At && o.At-o.Took < s.At }

// watch samples until done.
func (m *meter) watch(done <-chan struct{}) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	var before struct {
		at           time.Duration
		count, bytes int64
	}
	for over := false; !over; {
		select {
		case <-done:
			over = true
		case <-tick.C:
		}
		memory, disk := procfs.Anonymous(), m.engine.size()
		m.memory, m.disk = max(m.memory, memory), max(m.disk, disk)
		m.mu.Lock()
		now := m.elapsed()
		count, bytes, slowest := m.count, m.bytes, m.slowest
		width := now - before.at
		full := width >= m.opts.Measure.Interval
		// What is left at the end is no interval, unless there is no other.
		if full || over && len(m.intervals) == 0 {
			m.slowest = 0
			m.intervals = append(m.intervals, Interval{At: seconds(now),
				PerSecond: float64(count-before.count) / seconds(width),
				Bytes:     float64(bytes-before.bytes) / seconds(width), Slowest: seconds(slowest), Disk: disk,
				Memory: memory})
			before.at, before.count, before.bytes = now, count, bytes
		}
		m.mu.Unlock()
		p := Progress{Done: count, Total: m.opts.Count, PerSecond: float64(count) / seconds(now), Disk: disk}
		if p.Total == 0 {
			p.Done, p.Total = int64(now), int64(m.opts.Duration)
		}
		m.opts.Progress(p)
		m.ended = now
	}
}

// report adds the figures of writing.
func (m *meter) report(r *Report) {
	r.Writing.Count, r.Writing.Bytes, r.Writing.Seconds = m.count, m.bytes, seconds(m.ended)
	r.Writing.PerSecond = float64(m.count) / r.Writing.Seconds
	r.Writing.Intervals, r.Writing.Stalls, r.Writing.Latency = m.intervals, m.stalls, m.batches.latency()
	rates := make([]float64, len(m.intervals))
	for i, in := range m.intervals {
		rates[i] = in.PerSecond
	}
	slices.Sort(rates)
	r.Writing.Slowest, r.Writing.Median = rates[0], rates[len(rates)/2]
	r.Engine.Memory, r.Disk.Most, r.Disk.End = m.memory, m.disk, m.engine.size()
}
