// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import "time"

// Report is what was measured. Its names in JSON are stable. Sizes are in bytes, times in seconds.
type Report struct {
	Mode        Mode   `json:"mode"`
	Store       string `json:"store"`
	Seed        uint64 `json:"seed"`
	Batch       int    `json:"batch"`
	Writers     int    `json:"writers"`
	Interrupted bool   `json:"interrupted"`
	Found       int64  `json:"found"` // entries, pages or events of earlier runs in the same folder

	Writing     Writing `json:"writing"`
	Engine      Engine  `json:"engine"`
	Disk        Disk    `json:"disk"`
	Close       float64 `json:"close_seconds"`
	Open        float64 `json:"open_seconds"`
	Ceiling     Ceiling `json:"ceiling"`
	ReadsAlone  Latency `json:"reads_alone"`
	ReadsBeside Latency `json:"reads_beside_writers"`
}

// Writing is what was written, and how fast.
type Writing struct {
	Prepared  float64    `json:"prepare_seconds"` // making the graph or the pages that are rewritten
	Count     int64      `json:"count"`           // written: entries, rewrites or events
	Bytes     int64      `json:"bytes"`           // of keys and values given to the store; of lists, 16 for an event
	Seconds   float64    `json:"seconds"`
	PerSecond float64    `json:"per_second"`
	Intervals []Interval `json:"intervals"`
	Slowest   float64    `json:"slowest_per_second"` // of the intervals
	Median    float64    `json:"median_per_second"`
	Processor float64    `json:"processor_seconds"` // of all threads of the process, while writing; -1: unknown
	Latency   Latency    `json:"latency"`           // of a batch
	Stalls    []Stall    `json:"stalls"`            // the longest batches, longest first
}

// Engine is what the store made of it, and with how much memory.
type Engine struct {
	Flushes     uint64  `json:"flushes"`     // of lists
	Compactions int64   `json:"compactions"` // that Options.Compact asked for
	Compacting  float64 `json:"compaction_seconds"`
	Memory      int64   `json:"anonymous_bytes_most"` // -1: unknown
	Heap        int64   `json:"heap_bytes"`           // in use at the end
}

// Interval is the throughput of some time.
type Interval struct {
	At        float64 `json:"at"` // its end, since writing began
	PerSecond float64 `json:"per_second"`
	Bytes     float64 `json:"bytes_per_second"`
	Slowest   float64 `json:"slowest_batch"`
	Disk      int64   `json:"disk_bytes"`
	Memory    int64   `json:"anonymous_bytes"`
}

// Latency says how long operations took.
type Latency struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Most  float64 `json:"most"`
}

// Stall is a batch that took long.
type Stall struct {
	At   float64 `json:"at"` // its end, since writing began
	Took float64 `json:"took"`
}

// Disk is the room that the store took, and what was written to the disk for it.
type Disk struct {
	Live    int64   `json:"live_bytes"` // keys and values that are there now; 0: unknown
	Most    int64   `json:"most_bytes"`
	End     int64   `json:"end_bytes"`
	Idle    int64   `json:"idle_bytes"`    // after Options.Idle
	Written int64   `json:"written_bytes"` // while writing; -1: unknown
	After   int64   `json:"written_bytes_afterwards"`
	PerOne  float64 `json:"written_bytes_each"` // of Count, with what was written afterwards
	Factor  float64 `json:"write_amplification"`
}

// Ceiling is what the disk does by itself: appends of the size of a batch to a file beside the
// store, each synced.
type Ceiling struct {
	Append int64   `json:"append_bytes"`
	Before float64 `json:"before_bytes_per_second"`
	After  float64 `json:"after_bytes_per_second"`
	// the better of the two; with turns, the median of all times that the disk was measured
	Appends float64 `json:"appends_per_second"`
	// of Bytes a second to the better of the two; with turns, the median of theirs
	Ratio float64 `json:"ratio"`
	Turns []Turn  `json:"turns,omitempty"`
}

// Turn is a time of writing between two measurements of the disk alone.
type Turn struct {
	At    float64 `json:"at"` // its end
	Bytes float64 `json:"bytes_per_second"`
	Alone float64 `json:"alone_bytes_per_second"` // the mean of the two
	Ratio float64 `json:"ratio"`
}

func seconds(d time.Duration) float64 { return d.Seconds() }
