// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// leastLatency and its multiples by powers of latencyStep are the bounds of the histogram of latencies: 25 µs to 6.6 s. A probe takes tens of microseconds, and 10 s is the deadline.
const (
	leastLatency  = 25 * time.Microsecond
	latencyStep   = 4
	latencyBounds = 10
)

// answered is how many requests of an endpoint were answered, and how.
type answered struct {
	ok             uint64                    // with status 200
	within         [latencyBounds + 1]uint64 // by the least bound that they took at most, all others last
	took           time.Duration             // all together
	received, sent uint64                    // bytes of bodies
}

// add counts one.
func (a *answered) add(ok bool, received, sent int, took time.Duration) {
	if ok {
		a.ok++
	}
	at := 0
	for bound := leastLatency; at < latencyBounds && took > bound; bound *= latencyStep {
		at++
	}
	a.within[at]++
	a.took += took
	a.received += uint64(received)
	a.sent += uint64(sent)
}

// addAll counts others.
func (a *answered) addAll(b *answered) {
	for i, n := range b.within {
		a.within[i] += n
	}
	a.ok += b.ok
	a.took += b.took
	a.received += b.received
	a.sent += b.sent
}

// tally is what one loop, or all that do not belong to one, have answered since the last look at it. Counters that all loops shared would have each wait for the memory that another has just changed, several times for a request.
type tally struct {
	mu sync.Mutex
	of []answered // by number of the endpoint; as many as have been asked
}

// newTally returns a tally that is gathered with the others.
func (m *metrics) newTally() *tally {
	t := new(tally)
	m.gathering.Lock()
	defer m.gathering.Unlock()
	m.tallies = append(m.tallies, t)
	return t
}

func (t *tally) add(number int, ok bool, received, sent int, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for number >= len(t.of) {
		t.of = append(t.of, answered{})
	}
	t.of[number].add(ok, received, sent, took)
}

// take returns what was counted, and begins anew.
func (t *tally) take() []answered {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of
	t.of = make([]answered, len(of))
	return of
}

// gather adds what tallies have counted to the metrics of the endpoints.
func (m *metrics) gather() {
	m.gathering.Lock()
	defer m.gathering.Unlock()
	for _, t := range m.tallies {
		for number, a := range t.take() {
			e := m.endpoints[number]
			e.ok.Add(float64(a.ok))
			e.received.Add(float64(a.received))
			e.sent.Add(float64(a.sent))
			e.answered.addAll(&a)
		}
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
		bound := leastLatency
		for _, n := range e.answered.within[:latencyBounds] {
			count += n
			within[bound.Seconds()] = count
			bound *= latencyStep
		}
		count += e.answered.within[latencyBounds]
		metrics <- prometheus.MustNewConstHistogram(latencyDesc, count, e.answered.took.Seconds(), within, e.name)
	}
}
