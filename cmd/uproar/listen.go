// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// listen listens on an address. It must be of this machine alone when the server is exposed, that
// is when it lacks something that keeps others out, unless insecure.
func listen(ctx context.Context, addr, exposed string, insecure bool) (net.Listener, error) {
	resolved, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, &terminal.UsageError{Err: terminal.Advise("--addr "+database.DefaultAddr, "address %q: %w", addr,
			err)}
	}
	if exposed != "" && !insecure && !resolved.IP.IsLoopback() {
		return nil,
			&terminal.UsageError{Err: terminal.Advise(
				"uproar serve with --tokens, --tls-cert and --tls-key; or --addr "+database.DefaultAddr+
					" behind a proxy that has both; or --insecure-listen in a network where you trust everybody",
				"address %q can be reached from other machines, and this server has %s", addr, exposed)}

	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", resolved.String())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &terminal.AdviceError{Err: fmt.Errorf("address %s is taken by another program: %w", addr, err),
			Try: "another port, or port 0 for a free one"}

	}
	return ln, err
}
