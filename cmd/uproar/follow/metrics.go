// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// metric is one number of the figures, and how Prometheus knows it.
type metric struct {
	name, help string
	kind       prometheus.ValueType
	read       func(f *live.Figures) float64
}

var metrics = []metric{
	{"events_total", "Events that came.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Events) }},
	{"changes_total", "Changes that were written.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Changes) }},
	{"commits_total", "Commits that they were written in.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Commits) }},
	{"connections_total", "Connections to the source.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Connections) }},
	{"syncs_total", "Accounts all of whose records were void.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Syncs) }},
	{"syncs_held", "Of them, those whose records still come.", prometheus.GaugeValue,
		func(f *live.Figures) float64 { return float64(f.Held) }},
	{"syncs_lost_total", "Accounts whose #sync did not come again: their records may be wrong.",
		prometheus.CounterValue, func(f *live.Figures) float64 { return float64(f.Lost) }},
	{"repaired_total", "Accounts that were fetched anew.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Repaired) }},
	{"repairs_failed_total", "Repairs that failed, and are tried once more.", prometheus.CounterValue,
		func(f *live.Figures) float64 { return float64(f.Failed) }},
	{"repairs_waiting", "Accounts of the queue that are to be fetched anew.", prometheus.GaugeValue,
		func(f *live.Figures) float64 { return float64(f.Repairs) }},
	{"repairs_running", "Of them, those that the source is at.", prometheus.GaugeValue,
		func(f *live.Figures) float64 { return float64(f.Repairing) }},
	{"repairs_stored", "1 if more accounts are to be fetched than the queue takes: they stand in the graph.",
		prometheus.GaugeValue, func(f *live.Figures) float64 {
			if f.Stored {
				return 1
			}
			return 0
		}},
	{"position", "Position in the graph.", prometheus.GaugeValue,
		func(f *live.Figures) float64 { return float64(f.Position) }},
	{"lag_seconds", "From the last event to its commit.", prometheus.GaugeValue,
		func(f *live.Figures) float64 { return f.Lag }},
}

// collector reads the figures when Prometheus asks.
type collector struct {
	follower *live.Follower
	all      []*prometheus.Desc
	skipped  *prometheus.Desc
}

func newCollector(f *live.Follower) *collector {
	c := &collector{follower: f}
	for _, m := range metrics {
		c.all = append(c.all, prometheus.NewDesc("uproar_follow_"+m.name, m.help, nil, nil))
	}
	c.skipped = prometheus.NewDesc("uproar_follow_skipped_total", "Events that changed nothing, or less, by reason.",
		[]string{"reason"}, nil)
	return c
}

// Describe names the metrics.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.all {
		out <- d
	}
	out <- c.skipped
}

// Collect reads them.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	f := c.follower.Figures()
	for i, m := range metrics {
		out <- prometheus.MustNewConstMetric(c.all[i], m.kind, m.read(&f))
	}
	for reason, n := range f.Skipped {
		out <- prometheus.MustNewConstMetric(c.skipped, prometheus.CounterValue, float64(n), reason)
	}
}

// serveMetrics serves the metrics of a follower until stop is called.
func serveMetrics(l net.Listener, f *live.Follower) (stop func()) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(newCollector(f))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.Serve(l) }()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = s.Shutdown(ctx)
	}
}
