// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

func init() {
	for _, list := range [][]command{setCommands, keyCommands, timeCommands, connectionCommands, serverCommands} {
		for i := range list {
			commands[list[i].name] = &list[i]
		}
	}
	for i := range placeholderCommands {
		placeholders[placeholderCommands[i].name] = &placeholderCommands[i]
	}
}
