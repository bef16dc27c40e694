// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"slices"
)

// Pass goes a number of times over all units of an operation, unchecked and untimed. It builds the
// sets of a data set as one of ours (Fastest or Smallest) holds them. It returns the number of
// units of one pass. It serves to count instructions.
func Pass(dir, set, contestant, op string, passes int) (units int, err error) {
	for _, source := range sources(dir) {
		if source.name != set {
			continue
		}
		d, err := source.make()
		if err != nil {
			return 0, err
		}
		for _, c := range contestants() {
			if !c.ours() || c.name() != contestant {
				continue
			}
			e, err := c.enter(d)
			if err != nil {
				return 0, err
			}
			if !slices.Contains(operations, operation(op)) || e.tasks[operation(op)].pass == nil {
				return 0, fmt.Errorf("library: no operation is called %q", op)
			}
			for range passes {
				e.tasks[operation(op)].pass()
			}
			return e.tasks[operation(op)].units, nil
		}
		return 0, fmt.Errorf("library: none of ours is called %q", contestant)
	}
	return 0, fmt.Errorf("library: no data set is called %q", set)
}
