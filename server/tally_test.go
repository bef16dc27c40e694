// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// TestTallies has loops and others count at the same time, while somebody looks: nothing is lost or counted twice, and the histogram is as Prometheus' own would be.
func TestTallies(t *testing.T) {
	s, _ := newServer(t, nil)
	m := s.metrics
	want := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "uproar_http_request_duration_seconds", Help: "Time from the arrival of a request to the end of its answer, by endpoint.", Buckets: prometheus.ExponentialBuckets(25e-6, 4, 10),
	}, []string{"endpoint"})
	for _, e := range m.endpoints {
		want.WithLabelValues(e.name)
	}
	followers, batch := m.endpoint("followers"), m.endpoint("batch")
	const each = 5000
	var counting sync.WaitGroup
	for i := range 3 {
		var loop *tally
		if i > 0 {
			loop = m.tally(i - 1)
		}
		counting.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for n := range each {
				e, r := followers, &response{status: 200}
				if n%10 == 0 {
					e, r = batch, &response{status: 404, code: "unknown_account"}
				}
				// At the bounds themselves, and between.
				took := leastLatency << random.IntN(24)
				e.observe(loop, r, 3, 7, took)
				want.WithLabelValues(e.name).Observe(took.Seconds())
			}
		})
	}
	counted := make(chan struct{})
	go func() { counting.Wait(); close(counted) }()
	for looking := true; looking; {
		select {
		case <-counted:
			looking = false
		case <-time.After(time.Millisecond):
		}
		m.gather()
	}
	r, err := s.metricsText(t.Context(), noParameters{})
	if err != nil {
		t.Fatal(err)
	}
	figures := string(r.(text).body)
	for _, line := range []string{
		`requests_total{endpoint="followers",status="200"} 13500`, `requests_total{endpoint="batch",status="200"} 0`, `requests_total{endpoint="batch",status="404"} 1500`,
		`request_bytes_total{endpoint="followers"} 40500`, `response_bytes_total{endpoint="batch"} 10500`, `errors_total{code="unknown_account",endpoint="batch"} 1500`,
	} {
		if !strings.Contains(figures, "uproar_http_"+line+"\n") {
			t.Errorf("there is no %s in\n%s", line, figures)
		}
	}
	whole := histogramText(t, want)
	if got := histogramText(t, latencyCollector{m}); got != whole {
		t.Errorf("got\n%s\nwant\n%s", got, whole)
	}
	if !strings.Contains(whole, "followers up to 1.6384: ") {
		t.Errorf("there is no bucket of 1.6384 s:\n%s", whole)
	}
}

// histogramText returns the figures of a collector as Prometheus reads them.
func histogramText(t *testing.T, c prometheus.Collector) string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range families {
		for _, metric := range f.Metric {
			h, endpoint := metric.Histogram, metric.Label[0].GetValue()
			fmt.Fprintf(&b, "%s %s %s %.6f %d\n", f.GetName(), f.GetHelp(), endpoint, h.GetSampleSum(), h.GetSampleCount())
			for _, bucket := range h.Bucket {
				fmt.Fprintf(&b, "%s up to %v: %d\n", endpoint, bucket.GetUpperBound(), bucket.GetCumulativeCount())
			}
		}
	}
	return b.String()
}
