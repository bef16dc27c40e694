// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// The bounds of the histogram of latencies: 25 µs to 6.6 s. A probe takes tens of microseconds, and 10 s is the deadline.
const (
	leastLatency  = 25 * time.Microsecond
	latencyStep   = 4
	latencyBounds = 10
)

var latencyBuckets = prometheus.ExponentialBuckets(leastLatency.Seconds(), latencyStep, latencyBounds)

// durations is how long answers have taken.
type durations struct {
	within [latencyBounds + 1]uint64 // answers by the least bound that they took at most, all others last
	all    time.Duration             // together
}

func (d *durations) add(took time.Duration) {
	at := 0
	for bound := leastLatency; at < latencyBounds && took > bound; bound *= latencyStep {
		at++
	}
	d.within[at]++
	d.all += took
}

func (d *durations) addAll(of *durations) {
	for i, n := range of.within {
		d.within[i] += n
	}
	d.all += of.all
}

// answered is how many requests of an endpoint were answered, and how.
type answered struct {
	ok             int // with status 200
	received, sent int // bytes of bodies
	taken          durations
}

// tally is what one loop, or all that do not belong to one, have answered since the last look at it. Counters that all loops shared would have each wait for the memory that another has just changed, several times for a request.
type tally struct {
	mu sync.Mutex
	of []answered // by number of the endpoint; as many as have been asked

	_ [128]byte // so that no other tally is on the same lines of the processors' caches, of which two are fetched together
}

func (t *tally) add(number int, ok bool, received, sent int, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for number >= len(t.of) {
		t.of = append(t.of, answered{})
	}
	a := &t.of[number]
	if ok {
		a.ok++
	}
	a.received += received
	a.sent += sent
	a.taken.add(took)
}

// take returns what was counted, and begins anew.
func (t *tally) take() []answered {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of
	t.of = make([]answered, len(of))
	return of
}

// tally returns the tally of the loop of a number, which is the same for all listeners.
func (m *metrics) tally(number int) *tally {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	for number >= len(m.tallies) {
		m.tallies = append(m.tallies, new(tally))
	}
	return m.tallies[number]
}

// gather adds what tallies have counted to the metrics of the endpoints.
func (m *metrics) gather() {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	m.gatherFrom(m.others)
	for _, t := range m.tallies {
		m.gatherFrom(t)
	}
}

func (m *metrics) gatherFrom(t *tally) {
	for number, a := range t.take() {
		e := m.endpoints[number]
		e.ok.Add(float64(a.ok))
		e.received.Add(float64(a.received))
		e.sent.Add(float64(a.sent))
		e.taken.addAll(&a.taken)
	}
}

// latencyCollector tells Prometheus how long answers have taken that were gathered.
type latencyCollector struct{ of *metrics }

var latencyDesc = prometheus.NewDesc("uproar_http_request_duration_seconds", "Time from the arrival of a request to the end of its answer, by endpoint.", []string{"endpoint"}, nil)

// Describe implements prometheus.Collector.
func (latencyCollector) Describe(descs chan<- *prometheus.Desc) { descs <- latencyDesc }

// Collect implements prometheus.Collector.
func (c latencyCollector) Collect(metrics chan<- prometheus.Metric) {
	c.of.gathering.Lock()
	defer c.of.gathering.Unlock()
	for _, e := range c.of.endpoints {
		count, within := uint64(0), make(map[float64]uint64, latencyBounds)
		for i, bound := range latencyBuckets {
			count += e.taken.within[i]
			within[bound] = count
		}
		count += e.taken.within[latencyBounds]
		metrics <- prometheus.MustNewConstHistogram(latencyDesc, count, e.taken.all.Seconds(), within, e.name)
	}
}
