// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"gocloud.dev/blob"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// pageNames is how many names are fetched with one request.
const pageNames = 1000

// Engine is object storage below a prefix. Safe for concurrent use.
type Engine struct {
	bucket  *blob.Bucket
	service service
	place   string // for errors
	prefix  string // of all keys: "" or with a slash at the end
}

// service is what is different from storage to storage.
type service interface {
	// create stores an object with one request if there is none.
	create(ctx context.Context, key string, data []byte) error

	// read opens an object, and returns its size.
	read(ctx context.Context, key string) (io.ReadCloser, int64, error)

	// remove removes an object with one request. It may or may not say that there is none.
	remove(ctx context.Context, key string) error

	// after has a list begin near a key, if the service can do so.
	after(as func(any) bool, key string)

	// answer returns what the service has answered.
	answer(err error) answer
}

// answer is what a service says in an error.
type answer struct {
	status int    // of HTTP; 0: there was no answer
	code   string // the service's word
	kind   kind   // what it means, if the service knows better than its status does
}

// kind is what an answer means.
type kind uint8

const (
	byStatus    kind = iota
	exists           // a Create found an object
	missing          // there is no object
	unavailable      // it may be different next time
	permanent        // it will be the same next time
)

// means returns what an answer means.
func (a answer) means() kind {
	switch s := a.status; {
	case a.kind != byStatus:
		return a.kind
	case s == http.StatusNotFound:
		return missing
	case s == http.StatusNotImplemented || s == http.StatusHTTPVersionNotSupported:
		return permanent
	case s >= 500 || s == http.StatusRequestTimeout || s == http.StatusTooManyRequests ||
		s == http.StatusConflict || s == http.StatusTooEarly || s < 300:
		return unavailable
	}
	return permanent
}

// failure turns an error of a call into one of the contract.
func (e *Engine) failure(ctx context.Context, call, name string, err error) error {
	if err == nil {
		return nil
	}
	a := e.service.answer(err)
	what := fmt.Sprintf("ship/blob: %s %s/%s", call, strings.TrimSuffix(e.place, "/"), name)
	switch kind := a.means(); {
	case kind == exists && call == "create":
		return fmt.Errorf("%w: %s", ship.ErrExists, name)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case kind == missing && call == "get":
		return fmt.Errorf("%w: %s", store.ErrNotFound, name)
	case kind == unavailable:
		return fmt.Errorf("%s: %w: %w", what, store.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w%s", what, err, advice(a))
}

// advice says what to try after an answer that will be the same next time.
func advice(a answer) string {
	switch a.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "; try credentials that may put, get, list and delete objects there"
	case http.StatusNotFound:
		return "; try to make the bucket first, or another name of it"
	case http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return "; try the region of the bucket, as ?region=eu-central-1"
	case http.StatusNotImplemented:
		return "; try storage that knows If-None-Match: *"
	}
	return ""
}

// Create implements ship.Engine.
func (e *Engine) Create(ctx context.Context, name string, data []byte) error {
	if err := errors.Join(ctx.Err(), ship.CheckObject(name, data)); err != nil {
		return err
	}
	return e.failure(ctx, "create", name, e.service.create(ctx, e.prefix+name, data))
}

// Get implements ship.Engine.
func (e *Engine) Get(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return nil, err
	}
	data, err := e.read(ctx, e.prefix+name)
	if err != nil {
		return nil, e.failure(ctx, "get", name, err)
	}
	return data, nil
}

// read reads an object as a whole.
func (e *Engine) read(ctx context.Context, key string) ([]byte, error) {
	r, size, err := e.service.read(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	if size > ship.MaxObject || size < 0 {
		return nil, &foreignError{fmt.Sprintf("got an object of %d bytes, want at most %d", size, ship.MaxObject)}
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	switch n, err := r.Read(make([]byte, 1)); {
	case n != 0:
		return nil, fmt.Errorf("got more than the %d bytes that were announced", size)
	case err != io.EOF:
		return nil, fmt.Errorf("the end of %d bytes: %w", size, err)
	}
	return data, nil
}

// readBucket is the read of services without their own.
func readBucket(ctx context.Context, bucket *blob.Bucket, key string) (io.ReadCloser, int64, error) {
	r, err := bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, 0, err
	}
	return r, r.Size(), nil
}

// foreignError is about what no engine made.
type foreignError struct{ text string }

func (f *foreignError) Error() string { return f.text }

// List implements ship.Engine.
func (e *Engine) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		last := ""
		for name, err := range e.keys(ctx, prefix, after) {
			if err == nil && name <= last {
				err = fmt.Errorf("ship/blob: list %s: got %q after %q, want names in ascending order; try other storage",
					e.place, name, last)
			}
			if err != nil {
				yield("", err)
				return
			}
			last = name
			if strings.HasPrefix(name, prefix) && name > after && ship.CheckName(name) == nil && !yield(name, nil) {
				return
			}
		}
	}
}

// keys yields names as the storage lists them, from about after on.
func (e *Engine) keys(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		options := &blob.ListOptions{Prefix: e.prefix + prefix, BeforeList: func(as func(any) bool) error {
			if after != "" {
				e.service.after(as, e.prefix+after)
			}
			return nil
		}}
		for token := blob.FirstPageToken; len(token) > 0; {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			objects, next, err := e.bucket.ListPage(ctx, token, pageNames, options)
			if err != nil {
				yield("", e.failure(ctx, "list", prefix, err))
				return
			}
			for _, o := range objects {
				if name := strings.TrimPrefix(o.Key, e.prefix); !yield(name, nil) {
					return
				}
			}
			token = next
		}
	}
}

// Delete implements ship.Engine.
func (e *Engine) Delete(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return err
	}
	err := e.service.remove(ctx, e.prefix+name)
	if err != nil && e.service.answer(err).means() == missing {
		return nil
	}
	return e.failure(ctx, "delete", name, err)
}

// Close implements ship.Engine.
func (e *Engine) Close() error { return e.bucket.Close() }

var _ ship.Engine = (*Engine)(nil)
