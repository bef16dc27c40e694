// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"errors"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Options say what to measure.
type Options struct {
	Network Network
	Dir     string // folder of the database
	// Open opens the store in a folder. memory measures its shares. nil: the default engine
	Open   func(dir string, memory int64) (store.Store, error)
	Loaded bool   // the network is there already
	CSV    string // file with the text of the network, which may be compressed; "": it is made while it is loaded

	Cluster bool // accounts are numbered by community

	once bool // each account follows one other

	Memory      int64         // bound of the whole process, bytes
	Time        time.Duration // how long each line is measured
	Lines       []string      // names of the lines that are measured; nil: all
	Queries     int           // random questions after which memory is looked at
	Connections int           // over HTTP; 0: not measured
	// questions of each line to ask a database that has nothing in memory; 0: none
	Cold    int
	Check   int   // questions of each kind that are compared with a plain computation
	Changes int64 // follows and unfollows that are written, after which as many are compared again

	// how long questions are asked beside events, after a twelfth of that without; 0: not at all
	Live         time.Duration
	EventRate    int // events a second
	QuestionRate int // questions a second

	// Phase, if set, is told what begins, and Progress how far that is.
	Phase    func(what string)
	Progress func(done, total int64)
}

// check fails for options that cannot be.
func (o *Options) check() error {
	if o.Time < 0 || o.Queries < 0 || o.Connections < 0 || o.Cold < 0 || o.Check < 0 || o.Changes < 0 || o.Live < 0 ||
		o.EventRate < 0 || o.QuestionRate < 0 || o.Memory <= 0 {
		return errors.New("got a number below 0, or no memory")
	}
	return o.Network.Check()
}

// Report is what was measured. Times are in seconds.
type Report struct {
	Accounts int    `json:"accounts"`
	Follows  int64  `json:"follows"`
	SHA256   string `json:"sha256,omitempty"` // of the text, when it was made

	// from the first byte of the text until all is durable and the database closed
	Load float64 `json:"load"`
	// of the processors, with making the text if it was made; 0 where the system does not tell
	LoadWork  float64 `json:"loadProcessor"`
	LoadMost  int64   `json:"loadMost"`    // anonymous memory meanwhile, at most; -1 where the system does not tell
	Disk      int64   `json:"disk"`        // bytes of the store
	Lists     int64   `json:"lists"`       // bytes of posting lists in it
	Keys      int64   `json:"keys"`        // bytes of keys, in both directions
	Open      float64 `json:"open"`        // until the first answer
	OpenBytes int64   `json:"openMemory"`  // anonymous memory then
	Asked     int64   `json:"askedMemory"` // anonymous memory after Queries

	Process []Line `json:"inProcess"`
	HTTP    []Call `json:"http"`
	Cold    []Cold `json:"cold"`

	Live []Period `json:"live"` // the first without events

	Checked   int64   `json:"checked"`   // questions that were compared, all of them answered rightly
	Changed   int64   `json:"changed"`   // events written
	PerSecond float64 `json:"perSecond"` // of them
}

// Line is a question asked in process.
type Line struct {
	Name   string  `json:"name"`
	P50    float64 `json:"p50"`
	P99    float64 `json:"p99"`
	Values float64 `json:"values"`      // of an answer, on average
	Allocs float64 `json:"allocations"` // for an answer
	Each   float64 `json:"each"`        // p50 for each value of an answer; 0 where it is only counted
}

// Cold is a question to a database that has nothing in memory. Lists are read with their keys.
type Cold struct {
	Name string  `json:"name"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
}

// Call is a question asked over HTTP.
type Call struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50"`
	P99       float64 `json:"p99"`
	Bytes     float64 `json:"bytes"`   // of an answer's body, on average
	Ceiling   float64 `json:"ceiling"` // constant replies of that size a second, from the same transport
}
