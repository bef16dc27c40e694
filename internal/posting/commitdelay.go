// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "time"

// A sync writes at least a page of the disk, 4 KB, of which a small commit needs a hundred bytes.
// So a commit that comes soon after another waits for company, as PostgreSQL's commit_delay has it:
// it is acknowledged later, and still not before it is synced. It waits only where that pays. Those
// who write independently of each other come at the same rate whether they have to wait or not; but
// where each makes a commit after the other, all of them would stand still for the whole delay.
// They are told apart by that: the rate without waiting is measured first, and a rate far below it
// afterwards ends the waiting for a while. Where many write one after the other, and not as fast as
// they can, waiting pays as well, as long as it is not for all of them: groups are filled up to
// half of the largest that came together, or half of that, and so on, until the rate stays.

// DefaultCommitDelay is how long a commit waits for company at most when Config.CommitDelay is 0.
const DefaultCommitDelay = 10 * time.Millisecond

const (
	diskPage = 4 << 10 // what a sync writes at least

	// After a group that has filled so much of a page without waiting, or had so many commits,
	// nobody waits: many write at a time, and the processor is scarcer than the disk.
	enough = diskPage / 4
	many   = 24

	// The rate is measured over so many groups at first, over twice as many each time that waiting
	// was in vain, so that trials cost next to nothing.
	leastSpell   = 32
	longestSpell = 4096

	// Waiting was in vain when, of at least so many commits that the rate lets expect, fewer than
	// two thirds have come. Of independent ones, one trial in some fifteen ends so. The rate is not
	// corrected by what comes: commits that wait would slow down those who wait for them little by
	// little. It is measured anew after so many trials.
	trial  = 48.0
	share  = 2.0 / 3
	trials = 32

	// When waiting was in vain some times in a row, which is not by chance, groups are filled up to
	// a bound. Then a rate that falls by less says that the bound is too high, and a trial has to
	// be longer.
	boundSpell = 8 * leastSpell
	boundTrial = 1024.0
	boundShare = 0.93

	// Commits of which none came while another was written may be those of one who writes, or come
	// so seldom. One group that waits for so many times as long as lies between two of them tells:
	// whether another comes meanwhile.
	probeGaps = 2.0

	shortestLook = 100 * time.Microsecond
	longestLook  = 4 * time.Millisecond
)

// commitDelay decides how long a group of commits waits for others. It has no clock of its own. Not
// safe for concurrent use: it is the committer's.
type commitDelay struct {
	delay time.Duration // at most; 0: nobody waits
	page  int           // how many commits fill a page, as of late
	taken time.Time     // when the last group was taken off the line
	wrote time.Time     // when one was written
	begun time.Time     // when the next one was first looked at; zero: it has not come
	alone bool          // that had enough without waiting
	rate  float64       // commits a second while nobody waits; 0: it is being measured
	bound int           // nobody waits for a group to have more commits; 0: for as many as fill a page

	// While it is being measured.
	spell  int       // of how many groups
	groups int       // that were written since
	came   int       // commits in them
	others bool      // one has come while another was written, or waited: there is more than one who writes
	since  time.Time // zero: from the next group on

	probe time.Duration // how long the next group waits for another commit, to see whether there is one; 0: it does not

	// Of this trial.
	expected float64
	found    int
	largest  int // commits of a group
	passed   int // trials before it
}

func newCommitDelay(delay time.Duration) commitDelay {
	if delay == 0 {
		delay = DefaultCommitDelay
	}
	return commitDelay{delay: max(0, delay), page: diskPage / 64, spell: leastSpell}
}

// commitDelay is CommitDelay, none where commits wait for no sync.
func (c *Config) commitDelay() time.Duration {
	if c.NoSync || c.SyncEvery > 0 {
		return -1
	}
	return c.CommitDelay
}

// wait returns how long to wait before looking again whether a group, of n commits by now, is to be
// taken; 0: at once.
func (c *commitDelay) wait(now time.Time, n int) time.Duration {
	if c.begun.IsZero() {
		c.begun = now
	}
	if c.probe > 0 {
		if n > 1 {
			return 0
		}
		return max(0, min(c.probe-now.Sub(c.begun), longestLook))
	}
	full := c.page
	if c.bound > 0 {
		full = min(full, c.bound)
	}
	if c.rate == 0 || c.alone || n >= full || c.begun.Sub(c.wrote) > c.delay {
		return 0
	}
	left := c.delay - now.Sub(c.begun)
	// Sooner, if by then it is certain that waiting is in vain.
	length, least := c.terms()
	vain := (max(length, float64(c.found+n)/least) - c.expected) / c.rate
	left = min(left, seconds(vain)-now.Sub(c.taken))
	return max(0, min(left, max(shortestLook, seconds(float64(full-n)/c.rate)), longestLook))
}

// terms returns how many commits are expected in a trial, and how many of them have to come.
func (c *commitDelay) terms() (length, least float64) {
	if c.bound > 0 {
		return boundTrial, boundShare
	}
	return trial, share
}

// seconds returns a number of seconds, of which more than an hour is an hour.
func seconds(n float64) time.Duration { return time.Duration(min(n, 3600) * float64(time.Second)) }

// take is told that a group of n commits is taken off the line.
func (c *commitDelay) take(now time.Time, n int) {
	if c.rate > 0 {
		elapsed := now.Sub(c.taken)
		if n == 1 {
			elapsed = min(elapsed, 2*c.delay) // a pause says little of what is to be expected after it
		}
		c.expected += c.rate * elapsed.Seconds()
		c.found += n
		c.largest = max(c.largest, n)
		if length, least := c.terms(); c.expected >= length {
			c.judge(float64(c.found) < least*c.expected)
		}
	}
	if c.probe > 0 {
		c.probe, c.others = 0, n > 1
		if !c.others {
			c.spell = min(2*c.spell, longestSpell)
			c.measure()
		}
	}
	c.taken, c.begun = now, time.Time{}
}

// judge ends a trial, in which waiting was in vain or not.
func (c *commitDelay) judge(vain bool) {
	switch lower := c.lower(); {
	case vain && lower > 1:
		c.bound, c.passed = lower, 0
	case vain:
		c.bound, c.spell = 0, min(2*c.spell, longestSpell)
		c.measure()
	default:
		c.spell = leastSpell
		if c.passed++; c.passed == trials {
			if c.bound *= 2; c.bound >= c.page {
				c.bound = 0
			}
			c.measure()
		}
	}
	c.expected, c.found, c.largest = 0, 0, 0
}

// lower returns the bound of groups to be tried after one that was too high; 0: none, for it is not
// the number of those who write that keeps groups from growing.
func (c *commitDelay) lower() int {
	switch {
	case c.bound > 0:
		return c.bound / 2
	case c.spell >= boundSpell && float64(c.largest)*3/2 < c.rate*c.delay.Seconds():
		return c.largest / 2
	}
	return 0
}

// measure begins to measure the rate.
func (c *commitDelay) measure() {
	c.rate, c.groups, c.came, c.others, c.since, c.passed = 0, 0, 0, false, time.Time{}, 0
}

// done is told that a group of n commits was written, which took some bytes of log, and that others
// may have come meanwhile.
func (c *commitDelay) done(now time.Time, n, bytes int, waited, others bool) {
	c.page = max(1, (3*c.page+diskPage*n/max(1, bytes))/4)
	c.alone = !waited && (bytes >= enough || n >= many)
	c.wrote = now
	if c.rate > 0 || c.delay == 0 {
		return
	}
	if c.since.IsZero() {
		c.since = now
		return
	}
	c.groups, c.came, c.others = c.groups+1, c.came+n, c.others || others
	if c.groups < c.spell {
		return
	}
	rate := float64(c.came) / max(1e-9, now.Sub(c.since).Seconds())
	switch {
	case rate*c.delay.Seconds() < 1:
		c.measure() // nobody is to be expected
	case c.others:
		c.rate = rate
	case c.groups >= 4*c.spell:
		c.probe = min(c.delay, seconds(probeGaps/rate))
	}
}

// awaitOthers waits until the group of a commit that is about to be done is to be taken, or the
// index is being closed. It reports whether it has waited.
func (ix *Index) awaitOthers() (waited bool) {
	if ix.delay.delay == 0 {
		return false
	}
	for {
		now, n := time.Now(), 1+len(ix.requests)
		pause := ix.delay.wait(now, n)
		if pause == 0 {
			ix.delay.take(now, n)
			return waited
		}
		waited = true
		look := time.NewTimer(pause)
		select {
		case <-ix.stopping.Done():
			look.Stop()
			return waited
		case <-look.C:
		}
	}
}
