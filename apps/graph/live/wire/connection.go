// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// maxFrame is the largest frame that is taken.
const maxFrame = 32 << 20

// writeTimeout is how long a server may take to accept a frame.
const writeTimeout = 30 * time.Second

// connection is a websocket whose frames are events.
type connection struct {
	socket  *websocket.Conn
	cancel  context.CancelFunc
	reading atomic.Int64 // since when, in Unix nanoseconds; 0: nothing is read
	buffer  bytes.Buffer // of the last frame
}

// refusal is the answer of a server that is not in the protocol of websockets.
type refusal struct {
	Status int
	Code   string `json:"error"`
	Text   string `json:"message"`
}

func (e *refusal) Error() string {
	return fmt.Sprintf("live: the server answered %d %s %.200q %.200q", e.Status, http.StatusText(e.Status), e.Code,
		e.Text)
}

// dial connects, and watches that the server does not fall silent.
func (s *server) dial(ctx context.Context, url string) (*connection, error) {
	limited, cancel := context.WithTimeout(ctx, s.idle)
	defer cancel()
	socket, answer, err := websocket.Dial(limited, url, &websocket.DialOptions{HTTPHeader: s.header(),
		CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, refused(answer, err)
	}
	socket.SetReadLimit(maxFrame)
	c := &connection{socket: socket}
	watched, cancel := context.WithCancel(ctx)
	c.cancel = cancel
	go c.watch(watched, s.idle)
	return c, nil
}

// header has the password, if there is one.
func (s *server) header() http.Header {
	h := make(http.Header)
	if s.has {
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("admin:"+s.password)))
	}
	return h
}

// refused returns the error of an attempt to connect. What the server understood and refused is
// refused again.
func refused(answer *http.Response, err error) error {
	if answer == nil || answer.StatusCode == http.StatusSwitchingProtocols {
		return fmt.Errorf("live: connect: %w", err)
	}
	defer answer.Body.Close()
	r := &refusal{}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, 4096))
	if json.Unmarshal(body, r) != nil {
		r.Text = string(body)
	}
	r.Status = answer.StatusCode
	if r.Status >= 400 && r.Status < 500 && r.Status != http.StatusTooManyRequests &&
		r.Status != http.StatusRequestTimeout {
		return &live.FatalError{Err: r}
	}
	return r
}

// watch ends the connection if a server is silent, and does not answer a ping either.
func (c *connection) watch(ctx context.Context, idle time.Duration) {
	tick := time.NewTicker(idle / 2)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		since := c.reading.Load()
		if since == 0 || time.Since(time.Unix(0, since)) < idle {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, idle)
		err := c.socket.Ping(limited)
		cancel()
		if err != nil && c.reading.Load() == since { // it waited for the server, and for nothing else
			_ = c.socket.CloseNow()
			return
		}
	}
}

// largeFrame is from which size on the memory of a frame is not used again.
const largeFrame = 1 << 20

// frame waits for the next frame. It is valid until the one after it.
func (c *connection) frame(ctx context.Context) ([]byte, error) {
	c.reading.Store(time.Now().UnixNano())
	defer c.reading.Store(0)
	_, frame, err := c.socket.Reader(ctx)
	if err == nil {
		if c.buffer.Reset(); c.buffer.Cap() > largeFrame {
			c.buffer = bytes.Buffer{}
		}
		_, err = c.buffer.ReadFrom(frame)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if status := websocket.CloseStatus(err); status != -1 {
		return nil, fmt.Errorf("live: the server ended the connection: %w", err)
	}
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("live: the connection broke off: %w", err)
	}
	return c.buffer.Bytes(), err
}

// send sends a text frame.
func (c *connection) send(ctx context.Context, frame []byte) error {
	return c.socket.Write(ctx, websocket.MessageText, frame)
}

// Close ends the connection.
func (c *connection) Close() {
	c.cancel()
	_ = c.socket.CloseNow()
}

// Ack does nothing: servers with positions are not told.
func (c *connection) Ack(context.Context, []int64) error { return nil }
