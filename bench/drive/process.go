// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Process is a server.
type Process struct {
	Name, Addr string
	command    *exec.Cmd
}

// Start starts a server at an address. With "" the server says on the first line of its standard
// output where it listens.
func Start(name, addr string, command *exec.Cmd) (*Process, error) {
	p := &Process{Name: name, Addr: addr, command: command}
	if addr != "" {
		return p, command.Start()
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: %w, and %v", name, err, command.Wait())
	}
	p.Addr = strings.TrimSpace(line)
	return p, nil
}

// Suspend stops the process until [Process.Resume]: what it still has to do, such as collecting
// garbage, it does not do at the cost of another one that is measured meanwhile.
func (p *Process) Suspend() { _ = p.command.Process.Signal(syscall.SIGSTOP) }

// Resume lets a process go on.
func (p *Process) Resume() { _ = p.command.Process.Signal(syscall.SIGCONT) }

// Stop ends the process, and waits for that.
func (p *Process) Stop() {
	p.Resume()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	_ = p.command.Wait()
}

// Kill ends the process at once, and waits for that.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	_ = p.command.Wait()
}

// Ask sends a request, and returns the answer.
func (p *Process) Ask(r Request) (status int, answer []byte, err error) {
	var resp *http.Response
	if r.Body == "" {
		resp, err = http.Get("http://" + p.Addr + r.Path)
	} else {
		resp, err = http.Post("http://"+p.Addr+r.Path, "application/json", strings.NewReader(r.Body))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// Measure drives the server.
func (p *Process) Measure(drive Driver, long time.Duration) (Slot, error) {
	before := p.Processor()
	s, err := drive(p.Addr, long)
	if err != nil {
		return s, fmt.Errorf("%s: %w", p.Name, err)
	}
	s.Processor = (p.Processor() - before).Seconds() * 1e6 / max(s.Requests, 1)
	return s, nil
}

// Processor returns how long the threads of the process have run; 0 where the system does not tell.
func (p *Process) Processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if err != nil || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts hundredths of a second
}

// Resident returns how many bytes the process has in memory; 0 where the system does not tell.
func (p *Process) Resident() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(kilobytes, 10, 64)
	return n << 10
}
