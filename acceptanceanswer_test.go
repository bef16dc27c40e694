// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

// answer checks an answer that is no list of records.
func (s *script) answer(command, argument string, body []string) {
	s.fail("got the command %q with %q and %d lines, want one that there is", command, argument, len(body))
}
