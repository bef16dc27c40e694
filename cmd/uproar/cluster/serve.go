// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// CopyFlags are the flags of a server whose database is one of several copies.
type CopyFlags struct {
	Log       string          `placeholder:"URL" help:"Log that copies of the database on several machines share: s3://BUCKET/PREFIX, gs://, azblob://, file:///FOLDER or cql://HOST/KEYSPACE/PREFIX. An empty folder becomes a copy; a database becomes the first one of an empty log."`
	Role      ship.Role       `enum:"auto,writer,reader" default:"auto" help:"With --log: auto takes writes when no other copy does, writer takes them over at the start, reader never takes any (${default})."`
	Node      string          `placeholder:"NAME" help:"With --log: name of this copy among the others. Default: that of the machine, and the port."`
	Advertise string          `placeholder:"URL" help:"With --log: where clients of other copies reach this one. Default: http and the address of --addr, which must be one then."`
	Forward   replica.Forward `enum:"redirect,proxy,refuse" default:"redirect" help:"With --log: what is done with writes while another copy leads: redirect answers 307 with its address, proxy asks it, refuse answers 503 (${default})."`
	MaxAge    time.Duration   `default:"0s" placeholder:"TIME" help:"With --log: answer only while the copy was known to be up to date so long ago at most; 0s: always (${default})."`
	Heartbeat time.Duration   `default:"2s" placeholder:"TIME" help:"With --log: after three of them, or of the writer's if longer, without a sign of the writer another copy takes over (${default})."`
}

// Check returns an error for flags that do not go together. listen is where the server is to
// listen.
func (f *CopyFlags) Check(listen string) error {
	if f.Log == "" {
		if f.Role != ship.Auto || f.Node != "" || f.Advertise != "" || f.MaxAge != 0 || f.Forward != replica.Redirect {
			return errors.New("--role, --node, --advertise, --max-age and --forward want --log=URL")
		}
		return nil
	}
	if f.MaxAge < 0 || f.Heartbeat < 10*time.Millisecond {
		return fmt.Errorf("--max-age and --heartbeat: got %v and %v, want at least 0s and 10ms", f.MaxAge, f.Heartbeat)
	}
	if f.Advertise == "" {
		host, _, err := net.SplitHostPort(listen)
		if err == nil && everywhere(host) && f.Role != ship.Reader {
			return fmt.Errorf("--addr=%s is every address of this machine, and no client can be sent there: want "+
				"--advertise=URL, where clients of the other copies reach this one, such as http://db1.example.com:7070, "+
				"or one address", listen)
		}
		return nil
	}
	u, err := url.Parse(f.Advertise)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || everywhere(u.Hostname()) ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return fmt.Errorf("--advertise: got %q, want the address of this server for the clients of others, such as "+
			"http://db1.example.com:7070", f.Advertise)
	}
	return nil
}

// everywhere reports whether a host stands for every address of a machine.
func everywhere(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// Open makes a local store a copy of the log. addr is where the server listens, and scheme how.
func (f *CopyFlags) Open(ctx context.Context, local store.Store, scheme string, addr net.Addr, log *slog.Logger) (
	*ship.Store, error) {
	e, err := Open(ctx, f.Log)
	if err != nil {
		return nil, err
	}
	node := ship.Node{ID: f.Node, URL: f.Advertise}
	if node.ID == "" {
		host, err := os.Hostname()
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		_, port, _ := net.SplitHostPort(addr.String())
		node.ID = host + "-" + port
	}
	if host, _, err := net.SplitHostPort(addr.String()); node.URL == "" && err == nil && !everywhere(host) {
		node.URL = scheme + "://" + addr.String()
	}
	s, err := ship.Open(ctx, local, e, ship.Options{Role: f.Role, Node: node, Heartbeat: f.Heartbeat, Logger: log})
	if errors.Is(err, ship.ErrUnchecked) {
		err = &terminal.AdviceError{Err: err, Try: "uproar check-storage " + place(f.Log)}
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return s, nil
}
