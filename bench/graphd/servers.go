// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/bench/drive"
)

// server is a server of the network.
type server struct {
	*drive.Process
	dir string // of its database
}

// loadedMark is a file in the folder of a database in which the network is.
const loadedMark = "loaded"

// makeUproar makes the program of Uproar from the source that this module is beside.
func (s *settings) makeUproar(dir string) (program string, err error) {
	if program, err = filepath.Abs(filepath.Join(dir, "uproar")); err != nil {
		return "", err
	}
	const module = "github.com/uproar-db/uproar"
	source, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("look for the source of %s: %w", module, err)
	}
	// Its own module has what commands need; this one has only what its packages need.
	c := exec.Command("go", "build", "-C", strings.TrimSpace(string(source)), "-o", program, "./cmd/uproar")
	c.Stderr = s.logs
	return program, c.Run()
}

// startUproar starts Uproar, after importing the network if need be.
func (s *settings) startUproar(i int, program string) (*server, error) {
	dir := filepath.Join(s.dir, "uproar-"+strconv.Itoa(i))
	if !loaded(dir) {
		c := exec.Command(program, "import", "graph", "--dir", filepath.Join(dir, "db"), "--memory", s.memory, s.csv)
		c.Stderr = s.logs
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700), c.Run(), markLoaded(dir)); err != nil {
			return nil, err
		}
	}
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c := exec.Command(program, "serve", "--graphd", "--dir", filepath.Join(dir, "db"), "--memory", s.memory, "--addr",
		addr, "--log-level", "error")
	c.Stderr = s.logs
	p, err := drive.Start(name("Uproar", i, len(s.uproar)), addr, c)
	return &server{p, dir}, err
}

// startGraphD starts GraphD. If it has not loaded the network yet, it loads it, or is given a
// database that has it.
func (s *settings) startGraphD(i int, program string) (*server, error) {
	dir := filepath.Join(s.dir, "graphd-"+strconv.Itoa(i))
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	// One version of GraphD takes the folder above this one, and another one makes it.
	args := []string{"--listen-addr", addr, "--sqlite-path", filepath.Join(dir, "db") + string(filepath.Separator)}
	if !loaded(dir) {
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(filepath.Join(dir, "db"), 0o700)); err != nil {
			return nil, err
		}
		if s.made {
			if err := errors.Join(makeDatabase(dir, s.network), markLoaded(dir)); err != nil {
				return nil, err
			}
		} else {
			args = append(args, "--follows-csv", s.csv)
		}
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c := exec.Command(program, args...)
	c.Dir = dir // an .env of where this command was started is none of GraphD's
	c.Stdout, c.Stderr = log, log
	p, err := drive.Start(name("GraphD", i, len(s.graphd)), addr, c)
	return &server{p, dir}, err
}

// name tells servers of one sort apart.
func name(sort string, i, of int) string {
	if of == 1 {
		return sort
	}
	return sort + " " + strconv.Itoa(i+1)
}

func loaded(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, loadedMark))
	return err == nil
}

func markLoaded(dir string) error { return os.WriteFile(filepath.Join(dir, loadedMark), nil, 0o600) }

// freeAddress returns an address of this machine on which nobody listens. It is for a server that
// cannot say on which it does.
func freeAddress() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

// startConstant starts this program as a server that answers everything with size bytes.
func startConstant(size int) (*drive.Process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.Command(program, "graphd", "-constant", strconv.Itoa(size))
	c.Stderr = os.Stderr
	return drive.Start("constant", "", c)
}
