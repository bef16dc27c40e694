// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/uproar-db/uproar/bench/population"
)

//go:embed peer.py
var peer string

// errMissing is matched when a peer is not installed.
var errMissing = errors.New("not installed")

// engine is a database that a Python program asks in a process of its own. Times are taken there,
// around the question.
type engine struct {
	label, what string // what: as peer.py calls it
	python      string
	cpu         bool // one thread is timed by the processor time of the process
	dir         string
	command     *exec.Cmd
	in          *json.Encoder
	close1      io.Closer
	out         *bufio.Reader
	stderr      bytes.Buffer
	took        float64 // to load, without handing the population over
}

func (e *engine) name() string   { return e.label }
func (e *engine) threads() []int { return []int{1, 2} }

// reply is what peer.py answers.
type reply struct {
	Error   string       `json:"error"`
	Missing bool         `json:"missing"`
	Seconds float64      `json:"seconds"`
	Bytes   int64        `json:"bytes"`
	Rows    [][3]float64 `json:"rows"`
}

func (e *engine) load(p *population.Population) (err error) {
	if e.dir, err = os.MkdirTemp("", "bench-audience-"); err != nil {
		return err
	}
	if err := writePeople(e.dir, p); err != nil {
		return err
	}
	e.command = exec.Command(e.python, "-c", peer, e.what, e.dir)
	e.command.Stderr = &e.stderr
	in, err := e.command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := e.command.StdoutPipe()
	if err != nil {
		return err
	}
	e.in, e.close1, e.out = json.NewEncoder(in), in, bufio.NewReader(out)
	if err := e.command.Start(); err != nil {
		e.command = nil
		return fmt.Errorf("%w: %w", errMissing, err)
	}
	r, err := e.receive()
	e.took = r.Seconds
	return err
}

// writePeople writes what peer.py reads.
func writePeople(dir string, p *population.Population) error {
	var files [2]*os.File
	var out [2]*bufio.Writer
	for i, name := range []string{"/people.bin", "/terms.bin"} {
		var err error
		if files[i], err = os.Create(dir + name); err != nil {
			return err
		}
		out[i] = bufio.NewWriterSize(files[i], 1<<20)
	}
	var b []byte
	for i, one := range p.All(0) {
		b = binary.LittleEndian.AppendUint32(b[:0], uint32(i))
		b = binary.LittleEndian.AppendUint32(b, one.Postal)
		b = binary.LittleEndian.AppendUint32(b, one.City)
		for _, v := range one.Demographic {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		_, _ = out[0].Write(b) // Flush tells
		b = b[:0]
		for _, t := range one.Terms {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
			b = binary.LittleEndian.AppendUint32(b, t)
		}
		_, _ = out[1].Write(b)
	}
	return errors.Join(out[0].Flush(), out[1].Flush(), files[0].Close(), files[1].Close())
}

// request asks, and returns the reply.
func (e *engine) request(what map[string]any) (reply, error) {
	if err := e.in.Encode(what); err != nil {
		return reply{}, err
	}
	return e.receive()
}

func (e *engine) receive() (r reply, err error) {
	line, err := e.out.ReadBytes('\n')
	if err != nil {
		return r, fmt.Errorf("%s: %w\n%s", e.what, err, e.stderr.Bytes())
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("%s: %w: %s", e.what, err, line)
	}
	switch {
	case r.Missing:
		return r, fmt.Errorf("%w: %s", errMissing, r.Error)
	case r.Error != "":
		return r, fmt.Errorf("%s: %s", e.what, r.Error)
	}
	return r, nil
}

func (e *engine) disk() (int64, error) {
	r, err := e.request(map[string]any{"do": "disk"})
	return r.Bytes, err
}

func (e *engine) keep(audience int) error {
	_, err := e.request(map[string]any{"do": "keep", "number": audience,
		"audience": population.Audiences()[audience].Name})
	return err
}

func (e *engine) ask(_ clock, audience int, q question, threads int, whole bool) (rows []row, took time.Duration,
	err error) {
	r, err := e.request(map[string]any{"do": "ask", "audience": population.Audiences()[audience].Name, "question": q,
		"threads": threads, "whole": whole, "cpu": e.cpu && threads == 1})
	for _, x := range r.Rows {
		rows = append(rows, row{uint32(x[0]), uint64(x[1]), x[2]})
	}
	return rows, time.Duration(r.Seconds * float64(time.Second)), err
}

func (e *engine) close() (err error) {
	if e.command != nil {
		err = e.close1.Close() // at the end of its input it ends
		_ = e.command.Wait()   // whatever it says then
	}
	return errors.Join(err, os.RemoveAll(e.dir))
}
