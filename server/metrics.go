// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/uproar-db/uproar"
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

	endpoints []*endpointMetrics // by number
	others    *tally             // what loops have not answered
	gathering sync.Mutex
	tallies   []*tally // of loops, by number

	disk        *prometheus.CounterVec // what the disk refused or failed
	refused     prometheus.Counter     // connections
	connections atomic.Pointer[crowded]
}

func newMetrics(db *uproar.DB, turns *turns) *metrics {
	m := &metrics{
		others:   new(tally),
		registry: prometheus.NewRegistry(),
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
			Help: "Requests that are being answered, or wait for their turn, by endpoint; not those that loops answer within a millisecond.",
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
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "uproar_http_connections_refused_total",
			Help: "Connections beyond the limit.",
		}),
	}
	m.registry.MustRegister(m.requests, m.errors, latencyCollector{m}, m.inFlight, m.received, m.sent, m.disk, m.refused, databaseCollector{db},
		newGauge("uproar_http_connections", "Connections that are open.", func() float64 {
			if open := m.connections.Load(); open != nil {
				return float64(open.open.Load())
			}
			return 0
		}),
		newGauge("uproar_http_requests_working", "Requests that are worked on, of those that wait for their turn when there are many.", func() float64 { return float64(len(turns.working)) }),
		newGauge("uproar_http_requests_waiting", "Requests that wait for their turn.", func() float64 { return float64(turns.waiting.Load()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// newGauge returns a gauge that is read when Prometheus asks.
func newGauge(name, help string, read func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read)
}

// endpointMetrics are those of one endpoint, looked up once.
type endpointMetrics struct {
	name           string
	number         int // in metrics.endpoints
	all            *metrics
	ok             prometheus.Counter
	inFlight       prometheus.Gauge
	received, sent prometheus.Counter
	taken          durations // what was gathered
}

// endpoint returns the metrics of an endpoint. It is not called any more once requests are answered.
func (m *metrics) endpoint(name string) *endpointMetrics {
	for _, e := range m.endpoints {
		if e.name == name {
			return e
		}
	}
	e := &endpointMetrics{
		name: name, number: len(m.endpoints), all: m, ok: m.requests.WithLabelValues(name, "200"),
		inFlight: m.inFlight.WithLabelValues(name), received: m.received.WithLabelValues(name), sent: m.sent.WithLabelValues(name),
	}
	m.endpoints = append(m.endpoints, e)
	return e
}

// observe records one answered request.
func (e *endpointMetrics) observe(t *tally, r *response, received, sent int, took time.Duration) {
	if r.status != 200 {
		e.all.requests.WithLabelValues(e.name, strconv.Itoa(r.status)).Inc()
		e.all.errors.WithLabelValues(e.name, string(r.code)).Inc()
	}
	if t == nil {
		t = e.all.others
	}
	t.add(e.number, r.status == 200, received, sent, took)
}

// metricsText gives what Prometheus reads. A figure that cannot be had is left out, and logged.
func (s *Server) metricsText(context.Context, noParameters) (reply, error) {
	s.metrics.gather()
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
	return text{string(form), b.Bytes()}, nil
}
