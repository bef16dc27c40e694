// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// trace runs some passes of what flags ask for under qemu. It returns the units of a pass, and the
// addresses of the kernels' blocks that were executed, in order.
func (s *settings) trace(c *code, program, path string, what []string, passes int) (units int, blocks []uint64,
	err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return 0, nil, err
	}
	args := []string{"-d", "exec,nochain", "-D", "/dev/fd/3", "-dfilter", fmt.Sprintf("%#x..%#x", c.from, c.to-1),
		program, "arm64", "-passes", strconv.Itoa(passes)}
	cmd := exec.Command(s.qemu, append(args, what...)...)
	cmd.Env = append(os.Environ(), "UPROAR_KERNELS="+path, "GOMAXPROCS=1")
	cmd.ExtraFiles = []*os.File{write}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, nil, errors.Join(err, read.Close(), write.Close())
	}
	err = write.Close()
	in := bufio.NewReaderSize(read, 1<<20)
	for {
		text, readErr := in.ReadSlice('\n')
		if at, ok := blockOf(text); ok && c.at(at) != nil {
			blocks = append(blocks, at)
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil && readErr != bufio.ErrBufferFull {
			err = errors.Join(err, readErr)
			break
		}
	}
	if err = errors.Join(err, cmd.Wait(), read.Close()); err != nil {
		return 0, nil, err
	}
	units, err = strconv.Atoi(strings.TrimSpace(out.String()))
	return units, blocks, err
}

// blockOf returns the address in a line of qemu: "Trace 0: 0x7f… [flags/address/…] symbol".
func blockOf(text []byte) (at uint64, ok bool) {
	if !bytes.HasPrefix(text, []byte("Trace")) {
		return 0, false
	}
	_, rest, _ := bytes.Cut(text, []byte("/"))
	digits, _, found := bytes.Cut(rest, []byte("/"))
	at, err := strconv.ParseUint(string(digits), 16, 64)
	return at, found && err == nil
}

// page is where a block of qemu ends at the latest.
const page = 4096

// end returns the address behind the last instruction of the block at an address: behind its first
// branch.
func (c *code) end(at uint64) uint64 {
	for pc := at; ; {
		i := c.at(pc)
		pc += 4
		if i == nil || i.branch || pc%page == 0 {
			return pc
		}
	}
}
