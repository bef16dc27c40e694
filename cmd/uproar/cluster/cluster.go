// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Command shows the copies of a database, and has another one lead.
type Command struct {
	Log      string `arg:"" optional:"" name:"log" placeholder:"URL" help:"Log that the copies share, as serve --log has it."`
	HandOver string `placeholder:"URL" help:"Have the server at this address, which leads, let another copy take the writes."`
	Token    string `placeholder:"FILE" help:"File with the token for --hand-over."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

// Help returns what the help of the command says beside its flags.
func (*Command) Help() string {
	return `What the copies of a database last said of themselves, by their clocks, and which checkpoints there are. A copy says it
every ten seconds, and is no longer shown a minute after it has ended.

Example: uproar cluster s3://bucket/prefix
         uproar cluster --hand-over http://10.0.0.5:7070`
}

// Validate is called when the command line is parsed.
func (c *Command) Validate() error {
	if (c.Log == "") == (c.HandOver == "") {
		return errors.New("want the URL of a log to show, or --hand-over=URL, and not both")
	}
	return nil
}

// Run shows the copies, or hands over.
func (c *Command) Run(ctx context.Context, con *terminal.Console) error {
	if c.HandOver != "" {
		return c.handOver(ctx, con)
	}
	e, err := Open(ctx, c.Log)
	if err != nil {
		return err
	}
	defer e.Close()
	o, err := ship.Look(ctx, e)
	if errors.Is(err, store.ErrNotFound) {
		return terminal.Advise("uproar serve --dir DIR --log "+c.Log, "there is no log at %s", c.Log)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		text, err := json.MarshalIndent(o, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(con.Out, "%s\n", text)
		}
		return err
	}
	w := tabwriter.NewWriter(con.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "node\trole\tepoch\tposition\tsaid\turl")
	for _, n := range o.Nodes {
		role := "follows"
		if n.Leads {
			role = "leads"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%v ago\t%s\n", n.ID, role, n.Epoch, n.Object,
			time.Since(n.Time).Round(time.Second), n.URL)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "checkpoint at\tbytes\tmade")
	for _, k := range o.Checkpoints {
		fmt.Fprintf(w, "%d\t%d\t%s\n", k.Object, k.Bytes, k.Time.Format(time.DateTime))
	}
	return w.Flush()
}

// handOver asks the server that leads to let another one.
func (c *Command) handOver(ctx context.Context, con *terminal.Console) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.HandOver, "/")+"/v1/handover",
		strings.NewReader("{}"))
	if err != nil {
		return &terminal.UsageError{Err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	if c.Token != "" {
		token, err := os.ReadFile(c.Token)
		if err != nil {
			return err
		}
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	var body struct {
		Error struct{ Message string }
	}
	if err := json.NewDecoder(reply.Body).Decode(&body); err != nil {
		return fmt.Errorf("the reply of %s: %w", c.HandOver, err)
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: got %s: %s", c.HandOver, reply.Status, body.Error.Message)
	}
	if c.JSON {
		_, err = fmt.Fprintln(con.Out, `{"handedOver":true}`)
		return err
	}
	_, err = fmt.Fprintln(con.Out, "handed over: another copy takes the writes")
	return err
}
