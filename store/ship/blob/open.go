// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package blob is an engine of objects on object storage: S3 and what speaks its protocol, Google
// Cloud Storage, Azure Blob Storage. A call is one request, and a Create is never sent twice: the
// second of two would find the object of the first, and call it that of another.
package blob

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/memblob"   // mem://
	"gocloud.dev/blob/s3blob"

	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/folder"
)

// services are the kinds of storage, by scheme.
var services = map[string]func(*blob.Bucket, *url.URL) (service, error){
	"azblob":      newAzure,
	"gs":          newGoogle,
	"mem":         newMemory,
	s3blob.Scheme: newS3,
}

// Schemes returns the schemes of URLs that Open takes.
func Schemes() []string {
	return append(slices.Sorted(maps.Keys(services)), "file")
}

// Open returns an engine at a URL: scheme://bucket/prefix, with the parameters that gocloud.dev has
// for the scheme, as region and endpoint of s3. file:///folder is a folder of this machine, or of a
// file system that others have mounted too. mem:// is new for each call, and for tests. Nothing is
// asked of the storage yet. The engine is closed by the caller.
func Open(ctx context.Context, rawURL string) (ship.Engine, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the rest is the URL, which may have a password
		}
		return nil, fmt.Errorf("ship/blob: URL of storage: %w", err)
	}
	if u.Scheme == "file" {
		return openFolder(u)
	}
	newService := services[u.Scheme]
	if newService == nil {
		return nil, fmt.Errorf("ship/blob: URL of storage: got scheme %q, want one of %s: as s3://bucket/prefix?region=…",
			u.Scheme, strings.Join(Schemes(), ", "))
	}
	if u.Host == "" && u.Scheme != "mem" {
		return nil, fmt.Errorf("ship/blob: URL of storage: got %s without a bucket, want %s://bucket/prefix",
			u.Redacted(), u.Scheme)
	}
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		if err := ship.CheckName(prefix); err != nil {
			return nil, fmt.Errorf("ship/blob: prefix of %s: %w", u.Redacted(), err)
		}
		prefix += "/"
	}
	bucketURL := *u
	bucketURL.Path = ""
	bucket, err := blob.OpenBucket(ctx, bucketURL.String())
	if err != nil { // its text has the parameters
		text := err.Error()
		if u.RawQuery != "" {
			text = strings.ReplaceAll(text, "?"+u.RawQuery, "")
		}
		return nil, fmt.Errorf("ship/blob: open %s: %s", place(u), text)
	}
	of, err := newService(bucket, u)
	if err != nil {
		_ = bucket.Close() // it has asked for nothing yet
		return nil, fmt.Errorf("ship/blob: open %s: %w", place(u), err)
	}
	return &Engine{bucket: bucket, service: of, place: place(u), prefix: prefix}, nil
}

// place names the storage in errors, without parameters, which may be secrets.
func place(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

func openFolder(u *url.URL) (ship.Engine, error) {
	dir := filepath.FromSlash(u.Path)
	if u.Host != "" || !filepath.IsAbs(dir) || u.RawQuery != "" {
		return nil, fmt.Errorf("ship/blob: URL of storage: got %s, want file:///folder: three slashes, an absolute path "+
			"and nothing else", u.Redacted())
	}
	return folder.Open(dir)
}
