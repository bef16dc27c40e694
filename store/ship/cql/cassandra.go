// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cql

import (
	"context"
	"errors"
	"fmt"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// The tables of a keyspace, by name. Each has the objects of all prefixes.
var schema = map[string]string{
	"uproar_chunks": "(id blob, n int, data blob, PRIMARY KEY ((id, n)))",
	"uproar_heads":  "(prefix text, name text, id blob, size int, sum bigint, PRIMARY KEY ((prefix, name)))",
	"uproar_entries": "(prefix text, bucket text, name text, id blob, chunks int, marked boolean, " +
		"PRIMARY KEY ((prefix, bucket), name, id))",
	"uproar_buckets": "(prefix text, bucket text, used boolean, PRIMARY KEY (prefix, bucket))",
}

const (
	// retries of requests that may be made twice. Those of transactions may not.
	retries = 2

	// overtakes is how far ahead of the clock a chunk or an entry is deleted: it is never written
	// again, and a write under way, or one of a fast clock, must not outlive it.
	overtakes = 24 * time.Hour
)

// cassandra is the tables in a keyspace.
type cassandra struct {
	session  *gocql.Session
	keyspace string
	prefix   string
	plain    gocql.Consistency // of what is no transaction
	serial   gocql.Consistency
}

// query returns a statement, in which %s is the keyspace.
func (c *cassandra) query(statement string, args ...any) *gocql.Query {
	return c.session.Query(fmt.Sprintf(statement, c.keyspace), args...).Consistency(c.plain)
}

// exec does what may be done twice.
func (c *cassandra) exec(ctx context.Context, q *gocql.Query) error {
	return translate(q.Idempotent(true).RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: retries}).ExecContext(ctx))
}

func (c *cassandra) putChunk(ctx context.Context, of id, n int, data []byte) error {
	return c.exec(ctx, c.query(`INSERT INTO %s.uproar_chunks (id, n, data) VALUES (?, ?, ?)`, of[:], n, data))
}

func (c *cassandra) chunk(ctx context.Context, of id, n int) (data []byte, err error) {
	err = c.query(`SELECT data FROM %s.uproar_chunks WHERE id = ? AND n = ?`, of[:], n).
		Idempotent(true).RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: retries}).ScanContext(ctx, &data)
	return data, translate(err)
}

func ahead() int64 { return time.Now().Add(overtakes).UnixMicro() }

func (c *cassandra) deleteChunk(ctx context.Context, of id, n int) error {
	return c.exec(ctx, c.query(`DELETE FROM %s.uproar_chunks WHERE id = ? AND n = ?`, of[:], n).WithTimestamp(ahead()))
}

func (c *cassandra) createHead(ctx context.Context, name string, h head) (head, error) {
	there := make(map[string]any)
	applied, err := c.query(`INSERT INTO %s.uproar_heads (prefix, name, id, size, sum) VALUES (?, ?, ?, ?, ?) IF NOT EXISTS`,
		c.prefix, name, h.id[:], h.size, int64(h.sum)).SerialConsistency(c.serial).MapScanCASContext(ctx, there)
	if err != nil || applied {
		return h, translate(err)
	}
	raw, _ := there["id"].([]byte)
	size, _ := there["size"].(int)
	sum, _ := there["sum"].(int64)
	return headOf(raw, size, sum)
}

// headOf checks a row of heads.
func headOf(raw []byte, size int, sum int64) (h head, err error) {
	if len(raw) != len(h.id) || sum < 0 || sum>>32 != 0 {
		return h, fmt.Errorf("%w: a name has an ID of %d bytes and the checksum %d, want %d bytes and 32 bits",
			store.ErrCorrupt, len(raw), sum, len(h.id))
	}
	return head{id(raw), size, uint32(sum)}, nil
}

func (c *cassandra) head(ctx context.Context, name string, final bool) (head, error) {
	var raw []byte
	var size int
	var sum int64
	q := c.query(`SELECT id, size, sum FROM %s.uproar_heads WHERE prefix = ? AND name = ?`, c.prefix, name)
	if final {
		q = q.Consistency(c.serial)
	}
	err := q.Idempotent(true).RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: retries}).
		ScanContext(ctx, &raw, &size, &sum)
	if err != nil {
		return head{}, translate(err)
	}
	return headOf(raw, size, sum)
}

func (c *cassandra) deleteHead(ctx context.Context, name string, of id) error {
	_, err := c.query(`DELETE FROM %s.uproar_heads WHERE prefix = ? AND name = ? IF id = ?`, c.prefix, name, of[:]).
		SerialConsistency(c.serial).MapScanCASContext(ctx, make(map[string]any))
	return translate(err)
}

func (c *cassandra) putEntry(ctx context.Context, bucket string, e entry) error {
	return c.exec(ctx, c.query(`INSERT INTO %s.uproar_entries (prefix, bucket, name, id, chunks, marked) VALUES (?, ?, ?, ?, ?, ?)`,
		c.prefix, bucket, e.name, e.id[:], e.chunks, e.marked))
}

func (c *cassandra) deleteEntry(ctx context.Context, bucket string, e entry) error {
	return c.exec(ctx, c.query(`DELETE FROM %s.uproar_entries WHERE prefix = ? AND bucket = ? AND name = ? AND id = ?`,
		c.prefix, bucket, e.name, e.id[:]).WithTimestamp(ahead()))
}

func (c *cassandra) entries(ctx context.Context, bucket, from string, fn func(entry) error) error {
	rows := c.query(`SELECT name, id, chunks, marked, WRITETIME(chunks) FROM %s.uproar_entries
		WHERE prefix = ? AND bucket = ? AND name >= ?`, c.prefix, bucket, from).Idempotent(true).
		RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: retries}).PageSize(pageEntries).IterContext(ctx)
	var e entry
	var raw []byte
	var at int64
	for rows.Scan(&e.name, &raw, &e.chunks, &e.marked, &at) {
		if len(raw) != len(e.id) || e.chunks < 0 || e.chunks > chunksOf(ship.MaxObject) {
			_ = rows.Close()
			return fmt.Errorf("%w: the entry of %.80q has an ID of %d bytes and %d chunks", store.ErrCorrupt, e.name,
				len(raw), e.chunks)
		}
		e.id, e.at = id(raw), time.UnixMicro(at)
		if err := fn(e); err != nil {
			_ = rows.Close()
			return err
		}
	}
	return translate(rows.Close())
}

func (c *cassandra) putBucket(ctx context.Context, name string) error {
	return c.exec(ctx, c.query(`INSERT INTO %s.uproar_buckets (prefix, bucket, used) VALUES (?, ?, true)`, c.prefix, name))
}

func (c *cassandra) buckets(ctx context.Context) (list []bucket, err error) {
	rows := c.query(`SELECT bucket, WRITETIME(used) FROM %s.uproar_buckets WHERE prefix = ?`, c.prefix).
		Idempotent(true).RetryPolicy(&gocql.SimpleRetryPolicy{NumRetries: retries}).IterContext(ctx)
	var name string
	var at int64
	for rows.Scan(&name, &at) {
		list = append(list, bucket{name, time.UnixMicro(at)})
	}
	return list, translate(rows.Close())
}

func (c *cassandra) deleteBucket(ctx context.Context, b bucket) error {
	return c.exec(ctx, c.query(`DELETE FROM %s.uproar_buckets WHERE prefix = ? AND bucket = ?`, c.prefix, b.name).
		WithTimestamp(b.at.UnixMicro()))
}

func (c *cassandra) close() { c.session.Close() }

// forever are the answers of Cassandra that will be the same next time.
var forever = map[int]bool{
	gocql.ErrCodeProtocol: true, gocql.ErrCodeCredentials: true, gocql.ErrCodeFunctionFailure: true,
	gocql.ErrCodeSyntax: true, gocql.ErrCodeUnauthorized: true, gocql.ErrCodeInvalid: true,
	gocql.ErrCodeConfig: true, gocql.ErrCodeAlreadyExists: true,
}

// translate turns an error of the driver into one of the contract. A transaction that Cassandra
// cannot tell the outcome of is one that has not answered.
func translate(err error) error {
	var answer gocql.RequestError
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, gocql.ErrNotFound):
		return store.ErrNotFound
	case errors.Is(err, gocql.ErrSessionClosed):
		return fmt.Errorf("%w: %w", store.ErrClosed, err)
	case errors.As(err, &answer) && forever[answer.Code()]:
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
}
