// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cql

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/uproar-db/uproar/store/ship"
)

// Scheme is that of the URLs that Open takes.
const Scheme = "cql"

// options are what a URL says.
type options struct {
	hosts          []string
	user, password string
	keyspace       string
	prefix         string

	plain, serial gocql.Consistency
	replication   int // of a keyspace that is to be made; 0: it is not
	datacenter    string
	timeout       time.Duration
	secure        bool
	ca            string
	unchecked     bool // commitlog_sync is not asked for
}

var keyspaceName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,47}$`)

// wantURL is what an error says that a URL should be.
const wantURL = "want cql://host1,host2/keyspace/prefix?consistency=quorum"

// parseURL reads a URL. It is not parsed as a whole: hosts have ports and commas.
func parseURL(text string) (o options, err error) {
	rest, ok := strings.CutPrefix(text, Scheme+"://")
	authority, path, _ := strings.Cut(rest, "/")
	if !ok || authority == "" {
		return o, fmt.Errorf("ship/cql: URL of storage: got no hosts, %s", wantURL)
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, err := url.Parse("cql://" + authority[:at] + "@host")
		if err != nil {
			return o, fmt.Errorf("ship/cql: URL of storage: cannot read user and password, %s", wantURL)
		}
		o.user = user.User.Username()
		o.password, _ = user.User.Password()
		authority = authority[at+1:]
	}
	o.hosts = strings.Split(authority, ",")
	u, err := url.Parse("cql://host/" + path)
	if err != nil || slices.Contains(o.hosts, "") {
		return o, fmt.Errorf("ship/cql: URL of storage: cannot read it, %s", wantURL)
	}
	o.keyspace, o.prefix, _ = strings.Cut(strings.Trim(u.Path, "/"), "/")
	if !keyspaceName.MatchString(o.keyspace) {
		return o, fmt.Errorf("ship/cql: URL of storage: got keyspace %.60q, want letters, digits and _", o.keyspace)
	}
	if o.prefix != "" {
		if err := ship.CheckName(o.prefix); err != nil {
			return o, fmt.Errorf("ship/cql: prefix of the URL of storage: %w", err)
		}
	}
	o.plain, o.serial, o.timeout = gocql.Quorum, gocql.Serial, 10*time.Second
	for name, values := range u.Query() {
		if err := o.set(name, values[len(values)-1]); err != nil {
			return o, err
		}
	}
	return o, nil
}

// set sets a parameter.
func (o *options) set(name, value string) (err error) {
	want := ""
	switch name {
	case "consistency":
		switch value {
		case "quorum":
		case "local_quorum":
			o.plain, o.serial = gocql.LocalQuorum, gocql.LocalSerial
		default:
			want = "quorum or local_quorum"
		}
	case "replication":
		if o.replication, err = strconv.Atoi(value); err != nil || o.replication < 1 || o.replication > 9 {
			want = "from 1 to 9 copies"
		}
	case "datacenter":
		o.datacenter = value
	case "timeout":
		if o.timeout, err = time.ParseDuration(value); err != nil || o.timeout <= 0 {
			want = "a duration as 10s"
		}
	case "tls":
		if o.secure, err = strconv.ParseBool(value); err != nil {
			want = "true or false"
		}
	case "ca":
		o.ca, o.secure = value, true
	case "commitlog":
		if o.unchecked = value == "unchecked"; !o.unchecked {
			want = "unchecked"
		}
	default:
		return fmt.Errorf("ship/cql: URL of storage: got parameter %q, want consistency, replication, datacenter, "+
			"timeout, tls, ca or commitlog", name)
	}
	if want != "" {
		return fmt.Errorf("ship/cql: URL of storage: got %s=%s, want %s", name, value, want)
	}
	return nil
}

// Open returns an engine at a URL: cql://user:password@host1:9042,host2/keyspace/prefix. Its
// parameters:
//
//	consistency=quorum          or local_quorum
//	replication=3               makes the keyspace with so many copies, if there is none
//	datacenter=NAME             of the hosts that are asked
//	timeout=10s                 of a request
//	tls=true, ca=FILE           as it says
//	commitlog=unchecked         does not ask for commitlog_sync
//
// It makes the tables that are missing. It refuses a host whose commitlog_sync is periodic, which
// acknowledges what is not on the disk. Errors: store.ErrUnavailable, or those of Cassandra.
func Open(ctx context.Context, rawURL string) (ship.Engine, error) {
	o, err := parseURL(rawURL)
	if err != nil {
		return nil, err
	}
	place := Scheme + "://" + strings.Join(o.hosts, ",") + "/" + o.keyspace + "/" + o.prefix
	session, err := o.connect()
	if err != nil {
		return nil, fmt.Errorf("ship/cql: connect to %s: %w", place, translate(err))
	}
	c := &cassandra{session: session, keyspace: `"` + o.keyspace + `"`, prefix: o.prefix, plain: o.plain,
		serial: o.serial}
	err = c.prepare(ctx, o)
	if err != nil {
		session.Close()
		return nil, fmt.Errorf("ship/cql: open %s: %w", place, err)
	}
	return newEngine(c, strings.TrimSuffix(place, "/")), nil
}

func (o *options) connect() (*gocql.Session, error) {
	cluster := gocql.NewCluster(o.hosts...)
	cluster.Consistency, cluster.SerialConsistency = o.plain, o.serial
	cluster.Timeout, cluster.ConnectTimeout, cluster.WriteTimeout = o.timeout, o.timeout, o.timeout
	cluster.ReconnectInterval = 2 * time.Second // or a link that was cut is not used for a minute
	hosts := gocql.RoundRobinHostPolicy()
	if o.datacenter != "" {
		hosts = gocql.DCAwareRoundRobinPolicy(o.datacenter)
	}
	// A call that is made again is to go elsewhere: the host may be dead.
	cluster.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(hosts, gocql.ShuffleReplicas())
	if o.user != "" {
		cluster.Authenticator = gocql.PasswordAuthenticator{Username: o.user, Password: o.password}
	}
	if o.secure {
		cluster.SslOpts = &gocql.SslOptions{Config: &tls.Config{MinVersion: tls.VersionTLS12}, CaPath: o.ca,
			EnableHostVerification: true}
	}
	return cluster.CreateSession()
}

// prepare looks whether the host keeps what it acknowledges, and makes what is missing.
func (c *cassandra) prepare(ctx context.Context, o options) error {
	if !o.unchecked {
		if err := c.checkCommitLog(ctx); err != nil {
			return err
		}
	}
	var name string
	err := c.session.Query(`SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?`, o.keyspace).
		Consistency(gocql.One).ScanContext(ctx, &name)
	switch {
	case err == nil:
	case err != gocql.ErrNotFound:
		return translate(err)
	case o.replication == 0:
		return fmt.Errorf("there is no keyspace %s; try to make it, or ?replication=3, which does so with three copies",
			o.keyspace)
	default:
		statement := fmt.Sprintf(`CREATE KEYSPACE IF NOT EXISTS %s WITH replication = `+
			`{'class': 'NetworkTopologyStrategy', 'replication_factor': %d}`, c.keyspace, o.replication)
		if err := c.define(ctx, statement); err != nil {
			return err
		}
	}
	there := make(map[string]bool)
	rows := c.session.Query(`SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?`, o.keyspace).
		Consistency(gocql.One).IterContext(ctx)
	for rows.Scan(&name) {
		there[name] = true
	}
	if err := rows.Close(); err != nil {
		return translate(err)
	}
	for table, columns := range schema {
		if !there[table] {
			if err := c.define(ctx, `CREATE TABLE IF NOT EXISTS `+c.keyspace+`.`+table+` `+columns); err != nil {
				return err
			}
		}
	}
	return nil
}

// define changes the schema, and waits until all hosts know.
func (c *cassandra) define(ctx context.Context, statement string) error {
	if err := c.session.Query(statement).ExecContext(ctx); err != nil {
		return fmt.Errorf("%s: %w", statement, translate(err))
	}
	return translate(c.session.AwaitSchemaAgreement(ctx))
}

// checkCommitLog refuses a host that acknowledges before its disk has what it acknowledges.
func (c *cassandra) checkCommitLog(ctx context.Context) error {
	var mode string
	err := c.session.Query(`SELECT value FROM system_views.settings WHERE name = 'commitlog_sync'`).
		Consistency(gocql.One).ScanContext(ctx, &mode)
	return judgeCommitLog(mode, err)
}

func judgeCommitLog(mode string, err error) error {
	const try = "try commitlog_sync: group (or batch) in cassandra.yaml of every node, or ?commitlog=unchecked, with " +
		"which a power cut of most copies may lose what was acknowledged"
	if err = translate(err); err != nil {
		return fmt.Errorf("read commitlog_sync of system_views.settings: %w; %s", err, try)
	}
	switch strings.ToLower(mode) {
	case "group", "batch":
		return nil
	}
	return fmt.Errorf("commitlog_sync: got %s, want group or batch, which acknowledge what is on the disk; %s", mode, try)
}
