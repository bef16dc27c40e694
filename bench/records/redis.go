// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/bench/drive"
)

// redis is a connection to a server of Redis. A person is a hash of all fields, and a member of the
// set of each of its values in the fields of texts. Numbers, days and times are in no set.
type redis struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte // commands that are not sent yet
	sent int    // whose replies are not read yet
}

// startRedis starts a server that writes its log to a folder and syncs it as fsync says: always,
// before it answers, or everysec.
func startRedis(program, dir, fsync string) (*drive.Process, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := ln.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	if err := ln.Close(); err != nil {
		return nil, err
	}
	return drive.Start("Redis, fsync "+fsync, addr, exec.Command(program, "--bind", "127.0.0.1", "--port", port,
		"--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", fsync, "--logfile",
		filepath.Join(dir, "log")))
}

// dialRedis connects to a server, and waits until it answers.
func dialRedis(ctx context.Context, addr string) (r *redis, err error) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var conn net.Conn
		if conn, err = new(net.Dialer).DialContext(ctx, "tcp", addr); err == nil {
			r = &redis{conn: conn, in: bufio.NewReaderSize(conn, 1<<16)}
			r.command("PING")
			if _, err = r.replies(); err == nil {
				return r, nil
			}
			conn.Close()
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, fmt.Errorf("redis at %s: %w", addr, err)
		}
	}
}

// command adds a command to those that are sent together.
func (r *redis) command(words ...string) {
	r.out = append(strconv.AppendInt(append(r.out, '*'), int64(len(words)), 10), "\r\n"...)
	for _, w := range words {
		r.out = append(strconv.AppendInt(append(r.out, '$'), int64(len(w)), 10), "\r\n"...)
		r.out = append(append(r.out, w...), "\r\n"...)
	}
	r.sent++
}

// replies sends the commands, and reads the reply to each: the texts that it consists of.
func (r *redis) replies() (all [][]string, err error) {
	sent := make(chan error, 1)
	go func() { _, err := r.conn.Write(r.out); sent <- err }()
	for ; r.sent > 0 && err == nil; r.sent-- {
		var one []string
		if one, err = r.reply(nil); err == nil {
			all = append(all, one)
		}
	}
	if err != nil {
		r.conn.Close() // which ends the write
	}
	err = errors.Join(err, <-sent)
	r.out = r.out[:0]
	return all, err
}

func (r *redis) reply(texts []string) ([]string, error) {
	line, err := r.in.ReadString('\n')
	if err != nil || len(line) < 3 {
		return nil, fmt.Errorf("redis: got %q, %w", line, err)
	}
	kind, rest := line[0], line[1:len(line)-2]
	switch kind {
	case '+', ':':
		return append(texts, rest), nil
	case '-':
		return nil, errors.New("redis: " + rest)
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 0 || kind != '$' && kind != '*' {
		return nil, fmt.Errorf("redis: got %q, want a reply", line)
	}
	if kind == '$' {
		text := make([]byte, n+2)
		_, err := io.ReadFull(r.in, text)
		return append(texts, string(text[:n])), err
	}
	for range n {
		if texts, err = r.reply(texts); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// write puts people in one pipeline.
func (r *redis) write(_ context.Context, list []person) error {
	for i := range list {
		p := &list[i]
		words := []string{"HSET", p.key}
		for k, f := range fields {
			words = append(words, f.Name, p.values[k])
		}
		r.command(words...)
		for k, f := range fields {
			if f.Type == "single" || f.Type == "set" {
				for _, value := range strings.Split(p.values[k], "|") {
					r.command("SADD", f.Name+":"+value, p.key)
				}
			}
		}
	}
	_, err := r.replies()
	return err
}

// read reads people by their keys in one pipeline, and returns the values of each by field.
func (r *redis) read(_ context.Context, keys []string) ([]map[string]string, error) {
	for _, key := range keys {
		r.command("HGETALL", key)
	}
	all, err := r.replies()
	if err != nil {
		return nil, err
	}
	people := make([]map[string]string, len(all))
	for i, texts := range all {
		people[i] = make(map[string]string, len(fields))
		for k := 0; k+1 < len(texts); k += 2 {
			people[i][texts[k]] = texts[k+1]
		}
	}
	return people, nil
}

func (r *redis) close() error { return r.conn.Close() }
