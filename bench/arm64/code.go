// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// kernels begins the names of functions whose instructions are weighed. callers begins those of the
// functions that call them, too, which have some small ones inlined: they are weighed with them
// where single kernels are.
var (
	kernels = regexp.MustCompile(`^github\.com/uproar-db/uproar/internal/roaring/(kernel/|eliasfano\.)`)
	callers = regexp.MustCompile(`^github\.com/uproar-db/uproar/internal/roaring`)
)

// instruction is one of the program.
type instruction struct {
	text     string // as llvm-mca takes it
	function string
	branch   bool // ends a block
	decides  bool // a branch that is taken or not
	target   uint64
}

// code has the instructions of the kernels, by address.
type code struct {
	from, to uint64
	list     []instruction // every four bytes; those of functions between are empty
}

// at returns the instruction at an address, or nil if that is none of a kernel.
func (c *code) at(pc uint64) *instruction {
	if pc < c.from || pc >= c.to || c.list[(pc-c.from)/4].text == "" {
		return nil
	}
	return &c.list[(pc-c.from)/4]
}

// build makes this program for arm64.
func build(program string) error {
	cmd := exec.Command("go", "build", "-o", program, ".")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("arm64: building: %w", err)
	}
	return nil
}

var (
	label  = regexp.MustCompile(`^([0-9a-f]+) <(.*)>:$`)
	line   = regexp.MustCompile(`^ *([0-9a-f]+):[ \t]+([^ \t]+)[ \t]*(.*)$`)
	target = regexp.MustCompile(`#?0x[0-9a-f]+ <.*>`)

	address = regexp.MustCompile(`0x([0-9a-f]+) <`)
	branch  = regexp.MustCompile(`^(b|bl|br|blr|ret|b\.[a-z]+|cbn?z|tbn?z)$`)
)

// disassemble reads the kernels' instructions.
func (s *settings) disassemble(program string) (*code, error) {
	symbols, err := exec.Command("go", "tool", "nm", "-n", program).Output()
	if err != nil {
		return nil, fmt.Errorf("arm64: symbols: %w", err)
	}
	c, weighed := &code{}, kernels
	if s.work != "" {
		weighed = callers
	}
	for text := range strings.Lines(string(symbols)) {
		fields := strings.Fields(text)
		if len(fields) < 3 {
			continue
		}
		at, err := strconv.ParseUint(fields[0], 16, 64)
		if err != nil || fields[1] != "T" {
			continue
		}
		switch inside := weighed.MatchString(fields[2]); {
		case inside && c.from == 0:
			c.from = at
		case inside:
			c.to = 0
		case c.from > 0 && c.to == 0:
			c.to = at
		}
	}
	if c.to <= c.from {
		return nil, fmt.Errorf("arm64: the program has no functions of %s", kernels)
	}
	text, err := exec.Command(s.objdump, "-d", "--no-show-raw-insn", fmt.Sprintf("--start-address=%#x", c.from),
		fmt.Sprintf("--stop-address=%#x", c.to), program).Output()
	if err != nil {
		return nil, fmt.Errorf("arm64: %s: %w", s.objdump, err)
	}
	c.list = make([]instruction, (c.to-c.from)/4)
	function, inside := "", false
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); {
		if m := label.FindStringSubmatch(scan.Text()); m != nil {
			function, inside = kernels.ReplaceAllString(m[2], ""), weighed.MatchString(m[2])
			continue
		}
		m := line.FindStringSubmatch(scan.Text())
		if m == nil || !inside {
			continue
		}
		at, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil || at < c.from || at >= c.to {
			continue
		}
		operands, _, _ := strings.Cut(m[3], "//")
		var to uint64
		if t := address.FindStringSubmatch(operands); t != nil {
			to, _ = strconv.ParseUint(t[1], 16, 64) // digits only
		}
		c.list[(at-c.from)/4] = instruction{
			text:     m[2] + " " + target.ReplaceAllString(operands, "elsewhere"),
			function: function,
			branch:   branch.MatchString(m[2]),
			target:   to,
			decides:  branch.MatchString(m[2]) && strings.ContainsAny(m[2], ".z"),
		}
	}
	return c, nil
}
