// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Command shows the copies of a database, and has another one lead.
type Command struct {
	Log      string `arg:"" optional:"" name:"log" placeholder:"URL" help:"Log that the copies share, as serve --log has it."`
	URL      string `name:"url" placeholder:"URL" help:"Address of a server with one of the copies, to be asked instead of the log."`
	HandOver string `placeholder:"URL" help:"Have the server at this address, which leads, let another copy take the writes."`
	database.RemoteFlags
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Help returns what the help of the command says beside its flags.
func (*Command) Help() string {
	return `What the copies of a database last said of themselves, by their clocks, and which checkpoints there are. A copy says it
every ten seconds, and is no longer shown a minute after it has ended.

Example: uproar cluster s3://bucket/prefix
         uproar cluster --url http://10.0.0.5:7070
         uproar cluster --hand-over http://10.0.0.5:7070`
}

// Validate is called when the command line is parsed.
func (c *Command) Validate() error {
	given := 0
	for _, text := range [...]string{c.Log, c.URL, c.HandOver} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		return errors.New("want one of the URL of a log, --url=URL of a server, and --hand-over=URL")
	}
	if c.Log != "" && c.RemoteFlags != (database.RemoteFlags{}) {
		return errors.New("--token-file and --ca are about --url and --hand-over: a log has neither")
	}
	return nil
}

// Run shows the copies, or hands over.
func (c *Command) Run(ctx context.Context, con *terminal.Console) error {
	if c.HandOver != "" {
		return c.handOver(ctx, con)
	}
	reply, err := c.look(ctx)
	if err != nil {
		return err
	}
	return terminal.Report(con.Out, c.JSON, &reply, printCluster)
}

// look asks the log, or a server.
func (c *Command) look(ctx context.Context) (reply api.ClusterReply, err error) {
	if c.URL != "" {
		server, err := c.Connect("--url", c.URL)
		if err != nil {
			return reply, err
		}
		defer server.Close()
		return server.Cluster().Nodes(ctx)
	}
	e, err := Open(ctx, c.Log)
	if err != nil {
		return reply, err
	}
	defer e.Close()
	o, err := ship.Look(ctx, e)
	if errors.Is(err, store.ErrNotFound) {
		return reply, terminal.Advise("uproar serve --dir DIR --log "+place(c.Log), "there is no log at %s",
			place(c.Log))
	}
	return replica.Known(o), err
}

// printCluster prints the copies for people.
func printCluster(out io.Writer, reply *api.ClusterReply) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "node\trole\tepoch\tposition\tsaid\turl")
	for _, n := range reply.Nodes {
		role := "follows"
		if n.Leads {
			role = "leads"
		}
		age := time.Duration(n.AgeMillis) * time.Millisecond
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%v ago\t%s\n", n.Node, role, n.Epoch, n.Position, age.Round(time.Second), n.URL)
	}
	for _, shared := range sharedAddresses(reply.Nodes) {
		fmt.Fprintf(w, "\nwarning: %s say that they are reached at the same address: start each with one of its own "+
			"(--advertise)\n", strings.Join(shared, ", "))
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "checkpoint at\tbytes\tmade")
	for _, k := range reply.Checkpoints {
		fmt.Fprintf(w, "%d\t%d\t%s\n", k.Position, k.Bytes, k.Time.Format(time.DateTime))
	}
	return w.Flush()
}

// sharedAddresses returns the names of copies that are said to be at one address.
func sharedAddresses(nodes []api.ClusterNode) (shared [][]string) {
	at := make(map[string][]string)
	for _, n := range nodes {
		address := (&ship.Node{URL: n.URL}).Address()
		at[address] = append(at[address], n.Node)
	}
	delete(at, "")
	for _, address := range slices.Sorted(maps.Keys(at)) {
		if len(at[address]) > 1 {
			shared = append(shared, at[address])
		}
	}
	return shared
}

// handOver asks the server that leads to let another one.
func (c *Command) handOver(ctx context.Context, con *terminal.Console) error {
	server, err := c.Connect("--hand-over", c.HandOver)
	if err != nil {
		return err
	}
	defer server.Close()
	if _, err := server.Cluster().HandOver(ctx); err != nil {
		return err
	}
	if c.JSON {
		_, err = fmt.Fprintln(con.Out, `{"handedOver":true}`)
		return err
	}
	_, err = fmt.Fprintln(con.Out, "handed over: another copy takes the writes")
	return err
}
