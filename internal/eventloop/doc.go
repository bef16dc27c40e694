// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package eventloop serves many connections by few goroutines. Each loop waits for all of its connections at once, answers those that have said something one after the other, and sends the answers together: nobody is
// woken for a single request, and a connection that says nothing takes no goroutine and no buffer. An answer that takes long is made by a goroutine of its own, while the loop goes on. What a loop cannot read, as it has not come whole, is for somebody else: it gives such a connection back, with what was said.
//
// It knows no protocol, and is there on Linux only (epoll); elsewhere New fails with errors.ErrUnsupported, and connections are served as they were without it.
package eventloop

import (
	"net"
	"time"
)

// Answer answers a request. The answer is appended to memory, whose bytes belong to others. It is called by one goroutine, which answers nobody else meanwhile.
type Answer func(memory []byte, asked Asked) Answered

// Asked is what one side of a connection has said.
type Asked struct {
	Said   []byte    // a request, and what may follow it; valid until Answer returns
	Remote net.Addr  // who said it
	At     time.Time // a moment ago
	Long   bool      // the answer before took longer than Options.Brief, or that of another connection lately, as this one may, or the loop is to end
	Ending bool      // the loop is to end: this is the last answer of the connection
}

// Answered is what became of a request.
type Answered struct {
	Memory []byte // with what was appended
	From   int    // where in Memory the answer begins; it goes to the end
	Used   int    // how many bytes of said the request had; 0: it cannot be answered here, or has not come whole, and the connection is left to its owner
	Last   bool   // the connection is closed when the answer has been sent

	// Later, if not nil, makes an answer that takes long, in a goroutine of its own, and the connection waits for it; Memory has none then. done is called when the answer has been sent, or never will be.
	Later func() (answer []byte, done func())
}

// An Owner of a connection is told what becomes of it: one of the two, once, by the goroutine of a loop.
type Owner interface {
	// Left has the connection again, as one that knows nothing of loops. said was read from it and is not answered; both are the owner's.
	Left(conn net.Conn, said []byte)
	// Closed says that the connection is closed: by the other side, because its time was over, after its last answer, or at the end.
	Closed()
}

// Options are those of New.
type Options struct {
	Answer func() Answer // called once for each loop
	Loops  int           // how many goroutines; at least 1
	Brief  time.Duration // how long an answer may take for which others wait
	First  time.Duration // how long the first request may not come
	Idle   time.Duration // how long the next one may not come
	Taking time.Duration // how long the other side may take for an answer
	Sorry  []byte        // what a connection is told that should be left, when no more files can be opened
}

const (
	// roomy is how many bytes may come at once. A request that has more has not come whole.
	roomy = 64 << 10

	// gathered is from how many bytes of answers on they are sent, and gatherTime after which time, though others have asked as well.
	gathered   = 64 << 10
	gatherTime = 200 * time.Microsecond

	// atOnce is how many bytes of an answer are sent by one call of the system, in which the runtime cannot stop a goroutine.
	atOnce = 64 << 10

	// keptReply is up to which size the memory of answers is used again.
	keptReply = 4 << 20

	// shareTime is how long a loop that always has something to do lets others wait who wait for the network by the runtime: nothing looks there while all processors are busy, but every 10 ms.
	shareTime = 100 * time.Microsecond

	// retakeTime is from when on a loop that waits has let others have its processor.
	retakeTime = 20 * time.Microsecond
)

// sweepTime returns how often connections are looked at whose time may be over, which may last so much longer.
func (o *Options) sweepTime() time.Duration {
	return min(max(min(o.First, o.Idle, o.Taking)/8, 5*time.Millisecond), 2*time.Second)
}
