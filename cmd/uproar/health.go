// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// healthCommand asks a server how it is, for containers that have no other program.
type healthCommand struct {
	URL string `name:"url" placeholder:"URL" help:"Address of the server. Default: UPROAR_URL, or where uproar serve listens by UPROAR_ADDR and UPROAR_TLS_CERT."`
	database.RemoteFlags
	Ready   bool          `help:"Fail also while it takes no writes, or its copy of the database is too old."`
	Timeout time.Duration `default:"3s" placeholder:"TIME" help:"Longest time for the answer (${default})."`
}

// Help returns what the help of the command says beside its flags.
func (*healthCommand) Help() string {
	return `Ends with 0 when the server answers and its database can be read, otherwise with 1.

Example: uproar health --url http://127.0.0.1:7070`
}

// Run asks once.
func (c *healthCommand) Run(ctx context.Context, con *terminal.Console) error {
	server, err := c.server()
	if err != nil {
		return err
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	ask, state := server.Health, "healthy"
	if c.Ready {
		ask, state = server.Ready, "ready"
	}
	if err := ask(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.Out, state)
	return err
}

// server returns the server that is asked: the one that was named, or that of the same container,
// whose flags are in the environment.
func (c *healthCommand) server() (*client.Client, error) {
	if named := database.Server("", c.URL); named != "" {
		return c.Connect("--url", named)
	}
	addr := cmp.Or(os.Getenv("UPROAR_ADDR"), database.DefaultAddr)
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &terminal.UsageError{Err: fmt.Errorf("UPROAR_ADDR: %w", err)}
	}
	switch ip := net.ParseIP(host); {
	case host == "" || ip.Equal(net.IPv4zero):
		host = "127.0.0.1"
	case ip.Equal(net.IPv6unspecified):
		host = "::1"
	}
	addr = net.JoinHostPort(host, port)
	file := os.Getenv("UPROAR_TLS_CERT")
	if file == "" {
		return c.Connect("--url", "http://"+addr)
	}
	if c.CA != "" {
		return c.Connect("--url", "https://"+addr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("UPROAR_TLS_CERT: %w", err)
	}
	own, _ := pem.Decode(text)
	if own == nil {
		return nil, fmt.Errorf("UPROAR_TLS_CERT: %s has no certificate in PEM", file)
	}
	// The certificate is that of a public name, and this is an address: it must be the very one.
	config := &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		if !bytes.Equal(s.PeerCertificates[0].Raw, own.Bytes) {
			return fmt.Errorf("%s: got another certificate than that of UPROAR_TLS_CERT", addr)
		}
		return nil
	}}
	return client.New("https://"+addr, &client.Options{HTTP: &http.Client{Transport: &http.Transport{
		TLSClientConfig: config}}})
}
