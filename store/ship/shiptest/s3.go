// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// S3 is a server of one bucket with the four calls of S3 that engines need, addressed by path. It
// checks no signatures. The fields are set before the first request.
type S3 struct {
	Bucket string

	// IgnoreCondition makes it replace objects whatever If-None-Match says, as some storage does.
	IgnoreCondition bool

	// Unsorted makes it list names in no order, as directory buckets of S3 do.
	Unsorted bool

	// Fail is asked before each request. It may be nil.
	Fail func(*http.Request) S3Failure

	mu      sync.Mutex // held while an object is replaced
	objects Memory
}

// S3Failure is how a request fails. The zero S3Failure is that it does not.
type S3Failure struct {
	Late   bool   // it does its work first
	Status int    // what it answers, with Code
	Code   string // the word of S3
	Drop   bool   // it closes the connection without an answer
	Hang   bool   // it waits until the client is gone
}

// failsWith answers as a failure has it, and reports whether there is one.
func (f S3Failure) failsWith(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case f.Hang:
		<-r.Context().Done()
	case f.Drop:
		panic(http.ErrAbortHandler)
	case f.Status != 0:
		refuse(w, f.Status, f.Code)
	default:
		return false
	}
	return true
}

// refuse answers with an error of S3.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "%s<Error><Code>%s</Code><Message>of the test</Message></Error>", xml.Header, code)
}

// recorder keeps an answer that nobody is to see.
type recorder struct{ header http.Header }

func (r *recorder) Header() http.Header          { return r.header }
func (*recorder) Write(data []byte) (int, error) { return len(data), nil }
func (*recorder) WriteHeader(int)                {}

// ServeHTTP implements http.Handler.
func (s *S3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var failure S3Failure
	if s.Fail != nil {
		failure = s.Fail(r)
	}
	if failure.Late {
		s.serve(&recorder{make(http.Header)}, r)
	}
	if !failure.failsWith(w, r) {
		s.serve(w, r)
	}
}

func (s *S3) serve(w http.ResponseWriter, r *http.Request) {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case bucket != s.Bucket:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case key == "" && r.Method == http.MethodGet:
		s.list(w, r)
	case r.Method == http.MethodPut:
		s.put(w, r, key)
	case r.Method == http.MethodGet:
		data, err := s.objects.Get(r.Context(), key)
		if err != nil {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Header().Set("Last-Modified", "Sat, 28 Nov 2026 12:00:00 GMT")
		_, _ = w.Write(data)
	case r.Method == http.MethodDelete:
		if err := s.objects.Delete(r.Context(), key); err != nil {
			refuse(w, http.StatusInternalServerError, "InternalError")
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
}

func (s *S3) put(w http.ResponseWriter, r *http.Request, key string) {
	data, err := io.ReadAll(io.LimitReader(r.Body, ship.MaxObject+1))
	if err != nil || int64(len(data)) != r.ContentLength {
		refuse(w, http.StatusBadRequest, "IncompleteBody")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.IgnoreCondition || r.Header.Get("If-None-Match") != "*" {
		err = s.objects.Delete(r.Context(), key)
	}
	switch err = errors.Join(err, s.objects.Create(r.Context(), key, data)); {
	case errors.Is(err, ship.ErrExists):
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
	case errors.Is(err, store.ErrTooLarge):
		refuse(w, http.StatusBadRequest, "EntityTooLarge")
	case err != nil:
		refuse(w, http.StatusInternalServerError, "InternalError")
	default:
		w.Header().Set("ETag", `"1"`)
	}
}

// listing is the answer to a list.
type listing struct {
	XMLName               xml.Name `xml:"ListBucketResult"`
	IsTruncated           bool
	NextContinuationToken string `xml:",omitempty"`
	Contents              []listed
}

type listed struct {
	Key          string
	LastModified string
	Size         int
}

func (s *S3) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	most, err := strconv.Atoi(q.Get("max-keys"))
	if err != nil || most < 1 || most > 1000 {
		most = 1000
	}
	var names []string
	for name, err := range s.objects.List(r.Context(), q.Get("prefix"), q.Get("start-after")) {
		if err != nil {
			refuse(w, http.StatusInternalServerError, "InternalError")
			return
		}
		names = append(names, name)
	}
	if s.Unsorted {
		slices.SortFunc(names, func(a, b string) int { return int(hashOf(a)) - int(hashOf(b)) })
	}
	if token := q.Get("continuation-token"); token != "" {
		names = names[slices.Index(names, token)+1:]
	}
	var answer listing
	for _, name := range names[:min(most, len(names))] {
		answer.Contents = append(answer.Contents, listed{name, "2026-11-28T12:00:00.000Z", 1})
	}
	if len(names) > most {
		answer.IsTruncated, answer.NextContinuationToken = true, names[most-1]
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(answer)
}

func hashOf(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return h.Sum32() >> 1
}
