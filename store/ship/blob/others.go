// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"
)

// google is Google Cloud Storage.
type google struct{ bucket *blob.Bucket }

func newGoogle(bucket *blob.Bucket, _ *url.URL) (service, error) { return google{bucket}, nil }

func (g google) create(ctx context.Context, key string, data []byte) error {
	return g.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{IfNotExist: true,
		ContentType: "application/octet-stream",
		BeforeWrite: func(as func(any) bool) error {
			var handle **storage.ObjectHandle
			var w *storage.Writer
			if !as(&handle) {
				return errors.New("the client of Google has another type than its engine was made for")
			}
			*handle = (*handle).Retryer(storage.WithPolicy(storage.RetryNever))
			if !as(&w) {
				return errors.New("the writer of Google has another type than its engine was made for")
			}
			w.ChunkSize = 0 // one request
			return nil
		}})
}

func (g google) remove(ctx context.Context, key string) error { return g.bucket.Delete(ctx, key) }

func (google) after(as func(any) bool, key string) {
	var query *storage.Query
	if as(&query) {
		query.StartOffset = key
	}
}

func (g google) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	return readBucket(ctx, g.bucket, key)
}

func (google) answer(err error) (a answer) {
	var withCode *googleapi.Error
	if errors.As(err, &withCode) {
		a.status = withCode.Code
		if len(withCode.Errors) > 0 {
			a.code = withCode.Errors[0].Reason
		}
	}
	var foreign *foreignError
	switch {
	case errors.As(err, &foreign) || errors.Is(err, storage.ErrBucketNotExist):
		a.kind = permanent
	case errors.Is(err, storage.ErrObjectNotExist):
		a.kind = missing
	case a.status == http.StatusPreconditionFailed:
		a.kind = exists
	}
	return a
}

// azure is Azure Blob Storage.
type azure struct{ bucket *blob.Bucket }

func newAzure(bucket *blob.Bucket, _ *url.URL) (service, error) { return azure{bucket}, nil }

func (z azure) create(ctx context.Context, key string, data []byte) error {
	ctx = policy.WithRetryOptions(ctx, policy.RetryOptions{MaxRetries: -1})
	return z.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{IfNotExist: true,
		ContentType: "application/octet-stream",
		BufferSize:  len(data) + 1, MaxConcurrency: 1}) // one request
}

func (z azure) remove(ctx context.Context, key string) error { return z.bucket.Delete(ctx, key) }

// after: lists of Azure begin with the prefix.
func (azure) after(func(any) bool, string) {}

func (z azure) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	return readBucket(ctx, z.bucket, key)
}

func (azure) answer(err error) (a answer) {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		a.status, a.code = response.StatusCode, response.ErrorCode
	}
	var foreign *foreignError
	switch code := bloberror.Code(a.code); {
	case errors.As(err, &foreign) || code == bloberror.ContainerNotFound:
		a.kind = permanent
	case code == bloberror.BlobAlreadyExists || code == bloberror.ConditionNotMet ||
		code == bloberror.TargetConditionNotMet:
		a.kind = exists
	}
	return a
}

// memory is the memory of this process.
type memory struct{ bucket *blob.Bucket }

func newMemory(bucket *blob.Bucket, _ *url.URL) (service, error) { return memory{bucket}, nil }

func (m memory) create(ctx context.Context, key string, data []byte) error {
	return m.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{IfNotExist: true})
}

func (m memory) remove(ctx context.Context, key string) error { return m.bucket.Delete(ctx, key) }

func (memory) after(func(any) bool, string) {}

func (m memory) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	return readBucket(ctx, m.bucket, key)
}

func (memory) answer(err error) (a answer) {
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		a.kind = missing
	case gcerrors.FailedPrecondition:
		a.kind = exists
	default:
		a.kind = permanent
	}
	return a
}
