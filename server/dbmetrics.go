// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/uproar-db/uproar"
)

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
	indexStatistics = []statistic[uproar.IndexStats]{
		gauge("uproar_index_records", "Records of an index.", func(s *uproar.IndexStats) uint64 {
			return s.Records
		}, "index"),
		counterOf("uproar_index_sequence", "Number of the latest commit.", func(s *uproar.IndexStats) uint64 {
			return s.Sequence
		}, "index"),
		counterOf("uproar_index_flushed_sequence", "Number of the latest commit that is in pages.",
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
