// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// turnsWeighed is how often a loop is repeated, so that its begin and its end do not count.
const turnsWeighed = 100

// references are Go functions with the loops of a function in assembly. Functions whose names end
// in Generic are references too.
var references = []string{"mergeArrays", "countTwos", "countThrees"}

// loops writes the cycles of a turn of every innermost loop in assembly and in its reference: from
// a branch back to where it leads, with what stands between as if no branch inside were taken.
func (s *settings) loops(c *code, table io.Writer) error {
	fmt.Fprintln(table, "function\taddress\tinstructions\tcycles a turn\t")
	begin := 0
	for i := range c.list {
		at := &c.list[i]
		if i > 0 && at.function != c.list[i-1].function {
			begin = i
		}
		if !at.decides && !strings.HasPrefix(at.text, "b ") || at.target < c.from || at.target >= c.from+uint64(4*i) {
			continue
		}
		from := int(at.target-c.from) / 4
		name := strings.TrimSuffix(at.function, ".abi0")
		if from < begin || !strings.HasSuffix(name, "NEON") && !strings.HasSuffix(name, "Generic") &&
			!slices.Contains(references, name) {
			continue
		}
		inner := false
		for k := from; k < i; k++ {
			to := c.list[k].target
			inner = inner || c.list[k].branch && to > c.from+uint64(4*from) && to < c.from+uint64(4*k)
		}
		if inner {
			continue
		}
		var turns []*instruction
		for range turnsWeighed {
			for k := from; k <= i; k++ {
				turns = append(turns, &c.list[k])
			}
		}
		cycles, err := s.cycles(turns)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s\t%#x\t%d\t%.1f\t\n", name, at.target, i-from+1, cycles/turnsWeighed)
	}
	return nil
}
