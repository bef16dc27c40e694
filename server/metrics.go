// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"math"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/transport"
	"github.com/uproar-db/uproar/store"
)

// metrics are what Prometheus reads of a server: of its requests, its database
// and its process. The registry is its own, so that several servers in one
// process do not meet.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	errors   *prometheus.CounterVec
	inFlight *prometheus.GaugeVec
	received *prometheus.CounterVec
	sent     *prometheus.CounterVec

	latency *prometheus.HistogramVec

	endpoints map[string]*endpointMetrics

	disk        *prometheus.CounterVec // what the disk refused or failed
	refused     prometheus.Counter     // connections
	gaveWay     prometheus.Counter
	connections atomic.Pointer[transport.Listener]
}

func newMetrics(db *uproar.DB, limiter *limiter) *metrics {
	m := &metrics{
		endpoints: make(map[string]*endpointMetrics),
		registry:  prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_http_requests_total",
			Help: "Requests answered, by endpoint and HTTP status.",
		}, []string{"endpoint", "status"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_http_errors_total",
			Help: "Requests answered with an error, by endpoint and code.",
		}, []string{"endpoint", "code"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "uproar_http_requests_in_flight",
			Help: "Requests that are being answered, or wait for their turn, by endpoint.",
		}, []string{"endpoint"}),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_http_request_bytes_total",
			Help: "Bytes of the bodies of requests, by endpoint.",
		}, []string{"endpoint"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_http_response_bytes_total",
			Help: "Bytes of the bodies of answers, by endpoint; not those of backups.",
		}, []string{"endpoint"}),
		disk: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_disk_errors_total",
			Help: "Requests answered with 503 because of the disk, by reason: full, or failed.",
		}, []string{"reason"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "uproar_http_request_duration_seconds",
			Help: "Time from the arrival of a request to the end of its answer, by endpoint.",
			// the first is for probes; 10 s is the deadline
			Buckets: prometheus.ExponentialBuckets(25e-6, 4, 10),
		}, []string{"endpoint"}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "uproar_http_connections_refused_total",
			Help: "Connections beyond the limit.",
		}),
		gaveWay: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "uproar_http_connections_gave_way_total",
			Help: "Connections that waited for a request, and were closed for others beyond the limit.",
		}),
	}
	m.registry.MustRegister(m.requests, m.errors, m.latency, m.inFlight, m.received, m.sent, m.disk, m.refused,
		m.gaveWay, databaseCollector{db}, buildInfo(),
		newGauge("uproar_http_connections", "Connections that are open.", func() float64 {
			if open := m.connections.Load(); open != nil {
				return float64(open.Open())
			}
			return 0
		}),
		newGauge("uproar_http_requests_working",
			"Requests that are worked on, of those that wait for their turn when there are many.", func() float64 {
				return float64(len(limiter.working))
			}),
		newGauge("uproar_http_requests_waiting", "Requests that wait for their turn.", func() float64 {
			return float64(limiter.waiting.Load())
		}),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// buildInfo returns a gauge that is 1, whose labels say what the server is.
func buildInfo() prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: "uproar_build_info",
		Help: "1; version and commit of the server, and the Go that built it.",
		ConstLabels: prometheus.Labels{"version": uproar.Version, "revision": uproar.Revision(),
			"goversion": runtime.Version()}})
	g.Set(1)
	return g
}

// newGauge returns a gauge that is read when Prometheus asks.
func newGauge(name, help string, read func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read)
}

// endpointMetrics are those of one endpoint, looked up once.
type endpointMetrics struct {
	name           string
	all            *metrics
	ok             prometheus.Counter
	inFlight       prometheus.Gauge
	received, sent prometheus.Counter
	latency        prometheus.Observer
}

// endpoint returns the metrics of an endpoint. It is not called any more once requests are
// answered.
func (m *metrics) endpoint(name string) *endpointMetrics {
	if e := m.endpoints[name]; e != nil {
		return e
	}
	e := &endpointMetrics{
		name: name, all: m, ok: m.requests.WithLabelValues(name, "200"),
		inFlight: m.inFlight.WithLabelValues(name), received: m.received.WithLabelValues(name),
		sent:    m.sent.WithLabelValues(name),
		latency: m.latency.WithLabelValues(name),
	}
	m.endpoints[name] = e
	return e
}

// observe records one answered request.
func (e *endpointMetrics) observe(r *response, received, sent int, took time.Duration) {
	if r.status == 200 {
		e.ok.Inc()
	} else {
		e.all.requests.WithLabelValues(e.name, strconv.Itoa(r.status)).Inc()
	}
	if r.code != "" {
		e.all.errors.WithLabelValues(e.name, string(r.code)).Inc()
	}
	e.received.Add(float64(received))
	e.sent.Add(float64(sent))
	e.latency.Observe(took.Seconds())
}

// knownFollowers makes the figures of rsky-graph, which have its names, and returns what records an
// answer and how long it took.
func (m *metrics) knownFollowers() (answered func(time.Duration)) {
	queries := prometheus.NewCounter(prometheus.CounterOpts{Name: "graph_queries_total",
		Help: "Answers about known followers, under the paths of rsky-graph."})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "graph_query_duration_seconds",
		Help:    "Time of these answers, without that of sending them.",
		Buckets: []float64{.0001, .0005, .001, .005, .01, .05, .1, .5, 1}})
	m.registry.MustRegister(queries, took)
	return func(d time.Duration) { queries.Inc(); took.Observe(d.Seconds()) }
}

// malformed records what was no request of any endpoint.
func (m *metrics) malformed(e *api.Error) {
	m.requests.WithLabelValues("malformed", strconv.Itoa(e.Code.Status())).Inc()
	m.errors.WithLabelValues("malformed", string(e.Code)).Inc()
}

// databaseCollector reads a database's statistics when Prometheus asks, and at
// no other time.
type databaseCollector struct{ db *uproar.DB }

// A statistic is one number of an S, and how Prometheus knows it.
type statistic[S any] struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(*S) uint64
}

func gauge[S any](name, help string, of func(*S) uint64, labels ...string) statistic[S] {
	return statistic[S]{prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue, of}
}

func counterOf[S any](name, help string, of func(*S) uint64, labels ...string) statistic[S] {
	return statistic[S]{prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue, of}
}

func (s statistic[S]) send(ch chan<- prometheus.Metric, stats *S, labels ...string) {
	ch <- prometheus.MustNewConstMetric(s.desc, s.kind, float64(s.of(stats)), labels...)
}

var (
	databaseStatistics = []statistic[uproar.Stats]{
		gauge("uproar_memory_limit_bytes", "Bound on the memory of the database.", func(s *uproar.Stats) uint64 {
			return uint64(s.Memory.Limit)
		}),
		gauge("uproar_memory_bytes", "Memory that the database takes of it.", func(s *uproar.Stats) uint64 {
			return uint64(s.Memory.Total())
		}),
		gauge("uproar_answers_bytes", "Memory of large answers that are being built or sent.",
			func(s *uproar.Stats) uint64 {
				return uint64(s.Memory.Answers)
			}),
		gauge("uproar_cache_bytes", "Memory that cached pages take.", func(s *uproar.Stats) uint64 {
			return uint64(s.Memory.Cache)
		}),
		gauge("uproar_cache_huge_page_bytes", "Memory with cached pages that lies in huge pages of the system.",
			func(s *uproar.Stats) uint64 {
				return uint64(s.Memory.Huge)
			}),
		counterOf("uproar_cache_hits_total", "Pages found in the cache.", func(s *uproar.Stats) uint64 {
			return s.CacheHits
		}),
		counterOf("uproar_cache_misses_total", "Pages read from the store.", func(s *uproar.Stats) uint64 {
			return s.CacheMisses
		}),
		gauge("uproar_store_bytes", "Room that the store takes.", func(s *uproar.Stats) uint64 {
			return uint64(s.Store.Total())
		}),
	}
	spaceStatistics = []statistic[store.Space]{
		gauge("uproar_disk_free_bytes", "Room that is left on the disk.", func(s *store.Space) uint64 {
			return s.Free
		}),
		gauge("uproar_disk_reserve_bytes", "Writes are refused that would leave less room.",
			func(s *store.Space) uint64 {
				return s.Reserve
			}),
		gauge("uproar_disk_free_files", "How many more files the disk takes.", func(s *store.Space) uint64 {
			return s.Files
		}),
	}
	indexStatistics = []statistic[uproar.IndexStats]{
		gauge("uproar_index_records", "Records of an index.", func(s *uproar.IndexStats) uint64 {
			return s.Records
		}, "index"),
		gauge("uproar_index_sequence", "Number of the latest commit.", func(s *uproar.IndexStats) uint64 {
			return s.Sequence
		}, "index"),
		counterOf("uproar_index_commits_total", "Commits since the index was made.", func(s *uproar.IndexStats) uint64 {
			return s.Commits
		}, "index"),
		gauge("uproar_index_flushed_sequence", "Number of the latest commit that is in pages.",
			func(s *uproar.IndexStats) uint64 {
				return s.Flushed
			}, "index"),
		gauge("uproar_index_oldest_log_entry", "Number of the oldest commit that the log still has.",
			func(s *uproar.IndexStats) uint64 {
				return s.OldestLogEntry
			}, "index"),
		gauge("uproar_index_delta_values", "Values written since the last flush; a relation counts in both directions.",
			func(s *uproar.IndexStats) uint64 {
				return s.DeltaEdits
			}, "index"),
		gauge("uproar_index_delta_bytes", "Memory that they take.", func(s *uproar.IndexStats) uint64 {
			return s.DeltaBytes
		}, "index"),
		counterOf("uproar_index_flushes_total", "Flushes since the database was opened.",
			func(s *uproar.IndexStats) uint64 {
				return s.Flushes
			}, "index"),
	}
	fieldStatistics = []statistic[uproar.FieldStats]{
		gauge("uproar_field_rows", "Rows of a field, as of the last flush.", func(s *uproar.FieldStats) uint64 {
			return s.Rows
		}, "index", "field", "type"),
		gauge("uproar_field_values", "Values of these rows: the sum of their cardinalities.",
			func(s *uproar.FieldStats) uint64 {
				return s.Values
			}, "index", "field", "type"),
		gauge("uproar_field_pages", "Pages of a field.", func(s *uproar.FieldStats) uint64 {
			return s.Pages
		}, "index", "field", "type"),
		gauge("uproar_field_bytes", "Bytes of these pages.", func(s *uproar.FieldStats) uint64 {
			return s.Bytes
		}, "index", "field", "type"),
	}
)

// Describe sends every description of a statistic.
func (c databaseCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, s := range databaseStatistics {
		ch <- s.desc
	}
	for _, s := range spaceStatistics {
		ch <- s.desc
	}
	for _, s := range indexStatistics {
		ch <- s.desc
	}
	for _, s := range fieldStatistics {
		ch <- s.desc
	}
}

// Collect sends every statistic of the present.
func (c databaseCollector) Collect(ch chan<- prometheus.Metric) {
	stats, err := c.db.Stats()
	if err != nil { // what could be read is worth more than nothing
		ch <- prometheus.NewInvalidMetric(databaseStatistics[0].desc, err)
	}
	for _, s := range databaseStatistics {
		if err == nil {
			s.send(ch, &stats)
		}
	}
	space, _ := c.db.Space() // zero of a store that cannot tell
	for _, s := range spaceStatistics {
		if n := s.of(&space); space.Reserve > 0 && n != math.MaxUint64 {
			s.send(ch, &space)
		}
	}
	for i := range stats.Indexes {
		index := &stats.Indexes[i]
		for _, s := range indexStatistics {
			s.send(ch, index, index.Name)
		}
		for j := range index.Fields {
			field := &index.Fields[j]
			for _, s := range fieldStatistics {
				s.send(ch, field, index.Name, field.Name, field.Type)
			}
		}
	}
}
