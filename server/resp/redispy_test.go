// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"net"
	"os/exec"
	"testing"
)

// TestRedisPy asks with the client of Python, where it is installed. Its own tests are run by
// scripts/redis-clients, and go-redis by the tests of bench/redis.
func TestRedisPy(t *testing.T) {
	if err := exec.Command("python3", "-c", "import redis").Run(); err != nil {
		t.Skipf("there is no redis-py on this machine: %v", err)
	}
	addr, _ := serve(t, Options{})
	_, port, _ := net.SplitHostPort(addr)
	for _, protocol := range []string{"2", "3"} {
		if out, err := exec.Command("python3", "testdata/redispy.py", port, protocol).CombinedOutput(); err != nil {
			t.Errorf("protocol %s: %v\n%s", protocol, err, out)
		}
	}
}
