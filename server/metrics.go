// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"strconv"
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
	latency  *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMetrics(db *uproar.DB) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "uproar_http_requests_total",
			Help: "Requests answered, by endpoint and HTTP status.",
		}, []string{"endpoint", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "uproar_http_request_duration_seconds",
			Help: "Time from the arrival of a request to the end of its answer, by endpoint.",
			// 25 µs to 6.6 s: a probe takes tens of microseconds, and 10 s is the deadline.
			Buckets: prometheus.ExponentialBuckets(25e-6, 4, 10),
		}, []string{"endpoint"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "uproar_http_requests_in_flight",
			Help: "Requests that are being answered.",
		}),
	}
	m.registry.MustRegister(m.requests, m.latency, m.inFlight, databaseCollector{db},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// endpointMetrics are those of one endpoint, looked up once.
type endpointMetrics struct {
	name    string
	all     *metrics
	ok      prometheus.Counter
	latency prometheus.Observer
}

func (m *metrics) endpoint(name string) *endpointMetrics {
	return &endpointMetrics{name, m, m.requests.WithLabelValues(name, "200"), m.latency.WithLabelValues(name)}
}

// observe records one answered request.
func (e *endpointMetrics) observe(status int, took time.Duration) {
	if status == 200 {
		e.ok.Inc()
	} else {
		e.all.requests.WithLabelValues(e.name, strconv.Itoa(status)).Inc()
	}
	e.latency.Observe(took.Seconds())
}

// metricsText gives what Prometheus reads. A figure that cannot be had is left out, and logged.
func (s *Server) metricsText(context.Context, noParameters) (reply, error) {
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
