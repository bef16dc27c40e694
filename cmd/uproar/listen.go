// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// listen listens on an address, or takes the socket that systemd has opened for this process, of
// whatever address. It must be of this machine alone when the server is exposed, that is when it
// lacks something that keeps others out, unless insecure.
func listen(ctx context.Context, log *slog.Logger, addr, exposed string, insecure bool) (net.Listener, error) {
	ln, err := inherited()
	if err != nil {
		return nil, err
	}
	if ln != nil {
		if given := ln.Addr().String(); addr != given && addr != database.DefaultAddr {
			log.Warn("systemd has opened another address than --addr, which is not used", "addr", addr, "serves", given)
		}
		addr = ln.Addr().String()
	}
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
	if ln != nil {
		return ln, nil
	}
	ln, err = new(net.ListenConfig).Listen(ctx, "tcp", resolved.String())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, &terminal.AdviceError{Err: fmt.Errorf("address %s is taken by another program: %w", addr, err),
			Try: "another port, or port 0 for a free one"}

	}
	return ln, err
}

// inherited returns the socket that systemd has opened for this process; nil if it has none. While
// the process is started again, the socket stays, and new connections wait in it.
func inherited() (net.Listener, error) {
	list, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("sockets of systemd: %w", err)
	}
	if len(list) == 0 {
		return nil, nil
	}
	if ln, ok := list[0].(*net.TCPListener); ok && len(list) == 1 {
		return ln, nil
	}
	return nil, fmt.Errorf("sockets of systemd: got %d, of which the first is %T, want one of TCP: ListenStream=PORT",
		len(list), list[0])
}

// tellSystemd tells systemd the state of the process, if it wants to know.
func tellSystemd(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("systemd was not told", "state", state, "error", err)
	}
}
