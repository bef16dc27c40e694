// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// work is what servers are measured with.
type work struct {
	*settings
	prices   int
	requests *requests
	asks     drive.Driver
	driver   string // its name
	held     sizes  // by the database
}

// with prepares the work in a temporary folder, and carries it out.
func (s *settings) with(do func(w *work) error) (err error) {
	dir, err := os.MkdirTemp("", "bench-catalog-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := s.prepare(dir)
	if err != nil {
		return err
	}
	return do(w)
}

// prepare loads the database in a folder, and makes the requests.
func (s *settings) prepare(dir string) (w *work, err error) {
	list := pricelist.Make(s.offerings, s.shuffled, 1)
	s.dir = filepath.Join(dir, "db")
	w = &work{settings: s, prices: len(list), requests: newRequests(list)}
	if w.held, err = load(s.dir, list); err != nil {
		return nil, err
	}
	var one []drive.Request
	for _, body := range w.requests.one {
		one = append(one, drive.Request{Path: pathOne, Body: body})
	}
	w.asks, w.driver, err = drive.New(s.driver, dir, s.connections, one)
	return w, err
}

// what says what was measured.
func (w *work) what() string {
	return fmt.Sprintf("%d prices, %d connections, driven by %s; medians of %d rounds of %v", w.prices, w.connections,
		w.driver, w.rounds, w.time)
}

// measure starts servers, each in a process of its own with an environment. It compares the answers
// of each with those of the first, Uproar's, measures them in turn, and stops them.
func (w *work) measure(kinds, environment []string) (servers []*server, err error) {
	for _, kind := range kinds {
		c, err := w.start(kind, environment)
		if err != nil {
			return nil, err
		}
		defer c.Stop()
		servers = append(servers, c)
		switch kind {
		case constantKind:
		case uproarKind:
			c.held = w.held
		default:
			if err := c.askSizes(); err != nil {
				return nil, err
			}
			if err := compare(servers[0], c, w.requests); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range servers {
		c.Suspend()
		defer c.Resume()
	}
	for range w.rounds {
		for _, c := range servers {
			c.Resume()
			err := c.measure(w.asks, w.requests, w.time)
			c.Suspend()
			if err != nil {
				return nil, err
			}
		}
	}
	for _, c := range servers {
		slices.Sort(c.bulk)
	}
	return servers, nil
}
