// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// The network that scripts/partitions makes: copy i, from 1 on, is alone in a namespace of its own,
// with one link to the storage and one to those who ask. This process is at the other ends of all.
const (
	clusterSpace  = "uproar%d"
	storageLink   = "storage%d"
	clientLink    = "client%d"
	storageAddr   = "10.99.%d.1:9000" // of the storage, as copy i reaches it
	copyAddr      = "10.98.%d.2:7070" // of copy i, as those who ask reach it
	networkCopies = 3
)

// cutting takes links down, one after the other, each for a while.
type cutting struct {
	rng    *rand.Rand
	copies []*copyServer
	cuts   map[string]int // by what was cut
	err    error
}

// run cuts until ended is closed, and has all links up then.
func (c *cutting) run(ended chan struct{}) {
	for c.err == nil {
		kind := []string{storageLink, storageLink, clientLink}[c.rng.IntN(3)]
		i := c.rng.IntN(networkCopies)
		link := fmt.Sprintf(kind, 1+i)
		c.cuts[kind[:len(kind)-2]]++
		over := c.copies[i].befall()
		c.err = setLink(link, "down")
		select {
		case <-time.After(time.Duration(200+c.rng.IntN(3800)) * time.Millisecond / 2):
		case <-ended:
			c.err = setLink(link, "up")
			return
		}
		if err := setLink(link, "up"); err != nil {
			c.err = err
		}
		over()
		select {
		case <-time.After(time.Duration(200+c.rng.IntN(1800)) * time.Millisecond / 2):
		case <-ended:
			return
		}
	}
}

// setLink sets a link up or down.
func setLink(link, to string) error {
	if out, err := exec.Command("ip", "link", "set", link, to).CombinedOutput(); err != nil {
		return fmt.Errorf("setting %s %s: %w: %s", link, to, err, out)
	}
	return nil
}

// TestKilledCopiesCutOff is TestKilledCopies in the network of scripts/partitions, which runs it:
// links are cut and lose packets as well, and the log is on a server of S3.
func TestKilledCopiesCutOff(t *testing.T) {
	long := chaosTime(t)
	if os.Getenv("UPROAR_PARTITIONS") == "" {
		t.Skip("UPROAR_PARTITIONS is not set: scripts/partitions sets it")
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	ln, err := net.Listen("tcp", ":9000")
	if err != nil {
		t.Fatal(err)
	}
	storage := &http.Server{Handler: &shiptest.S3{Bucket: "b"}, ReadHeaderTimeout: time.Minute}
	go func() { _ = storage.Serve(ln) }()
	t.Cleanup(func() { _ = storage.Close() })
	log := logOnS3("http://127.0.0.1:9000")
	checkStorage(t, log)

	const heartbeat = 300 * time.Millisecond
	dir := t.TempDir()
	var copies []*copyServer
	var urls []string
	for i := 1; i <= networkCopies; i++ {
		s := newCopyServer(t, dir, fmt.Sprint("copy", i), logOnS3("http://"+fmt.Sprintf(storageAddr, i)),
			fmt.Sprintf(copyAddr, i), "--heartbeat", heartbeat.String(), "--insecure-listen")
		s.command = append([]string{"ip", "netns", "exec", fmt.Sprintf(clusterSpace, i)}, s.command...)
		copies, urls = append(copies, s), append(urls, s.url)
		s.start()
	}
	for _, s := range copies {
		s.await(time.Minute)
	}
	l := newLedger(t, urls...)
	l.watch(copies)
	l.begin(3, 3)
	m := &misfortune{copies: copies, rng: rand.New(rand.NewPCG(3, 4)), heartbeat: heartbeat}
	c := &cutting{copies: copies, rng: rand.New(rand.NewPCG(5, 6)), cuts: make(map[string]int)}
	ended, cut := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(cut)
		c.run(ended)
	}()
	said := time.Now()
	for begun := said; time.Since(begun) < long; time.Sleep(time.Second) {
		if m.strike(); time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Fprintf(os.Stderr, "after %v: %v; %v\n", time.Since(begun).Round(time.Second), m, l)
		}
	}
	close(ended)
	if <-cut; c.err != nil {
		t.Error(c.err)
	}
	m.end(5 * time.Minute)
	time.Sleep(5 * time.Second)
	l.end()
	judgeCopies(t, l, copies, log)
	if t.Logf("%v; cuts %v; %v", m, c.cuts, l); l.noWritesWhileFine > unplanned {
		t.Errorf("no write was done for %v while nothing befell one of the copies, want %v at most", l.noWritesWhileFine,
			unplanned)
	}
}
