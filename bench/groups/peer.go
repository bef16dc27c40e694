// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

//go:embed peer.py
var script string

// errMissing is matched when DuckDB is not installed.
var errMissing = errors.New("DuckDB is not installed")

// duck is DuckDB in a Python process of its own. Times are taken there, around the question.
type duck struct {
	version string
	memory  int64
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
}

// reply is what peer.py answers.
type reply struct {
	Error   string     `json:"error"`
	Missing bool       `json:"missing"`
	Version string     `json:"version"`
	Seconds float64    `json:"seconds"`
	Count   int        `json:"count"`
	Rows    [][]string `json:"rows"`
}

func openDuck(python, dir string, memory int64) (d *duck, err error) {
	d = &duck{memory: memory, command: exec.Command(python, "-c", script, dir)}
	d.command.Stderr = &d.stderr
	if d.in, err = d.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := d.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.out = bufio.NewReader(out)
	if err := d.command.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	r, err := d.receive()
	d.version = r.Version
	return d, err
}

func (d *duck) receive() (r reply, err error) {
	line, err := d.out.ReadBytes('\n')
	if err != nil {
		return r, fmt.Errorf("DuckDB: %w\n%s", err, d.stderr.Bytes())
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("DuckDB: %w: %s", err, line)
	}
	switch {
	case r.Missing:
		return r, fmt.Errorf("%w: %s", errMissing, r.Error)
	case r.Error != "":
		return r, fmt.Errorf("DuckDB: %s", r.Error)
	}
	return r, nil
}

// ask answers a question.
func (d *duck) ask(sql string, all bool, threads int, cpu bool) answer {
	if !all {
		sql += fmt.Sprintf(" LIMIT %d", topGroups)
	}
	request := map[string]any{"sql": sql, "all": all, "threads": threads, "cpu": cpu, "memory": d.memory}
	if err := json.NewEncoder(d.in).Encode(request); err != nil {
		return answer{err: err}
	}
	r, err := d.receive()
	return answer{count: r.Count, rows: r.Rows, took: time.Duration(r.Seconds * float64(time.Second)), err: err}
}

func (d *duck) close() error {
	err := d.in.Close()  // at the end of its input it ends
	_ = d.command.Wait() // whatever it says then
	return err
}
