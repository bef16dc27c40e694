// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"gocloud.dev/blob"
)

// s3Service is S3, and what speaks its protocol. It asks with the client of S3 itself, but for
// lists: gocloud.dev would send a Create again after a lost reply, in parts when it is large, and
// ask for an object before it deletes it.
type s3Service struct {
	client     *s3.Client
	http       s3.HTTPClient // in the place of the client's
	bucket     string
	encryption types.ServerSideEncryption
	key        *string // of KMS
}

func newS3(bucket *blob.Bucket, u *url.URL) (service, error) {
	s := &s3Service{bucket: u.Host}
	if strings.HasSuffix(u.Host, "--x-s3") {
		return nil, errors.New("got a directory bucket, which lists names in no order; try a general purpose bucket")
	}
	if !bucket.As(&s.client) {
		return nil, errors.New("the client of S3 has another type than its engine was made for")
	}
	s.http = s.client.Options().HTTPClient
	if client, ok := s.http.(*awshttp.BuildableClient); ok {
		s.http = client.WithDialerOptions(dialSoon).WithTransportOptions(notice)
	}
	q := u.Query()
	for _, known := range types.ServerSideEncryption("").Values() {
		if strings.EqualFold(string(known), q.Get("ssetype")) {
			s.encryption = known
		}
	}
	if key := q.Get("kmskeyid"); key != "" {
		s.key = aws.String(key)
	}
	return s, nil
}

// When a link that was cut is there again, a call that began before hears of it late: a new one is
// to begin soon.
func dialSoon(d *net.Dialer) { d.Timeout = 3 * time.Second }

// notice has a connection on which nothing comes any more end, which with HTTP/2 the end of a call
// does not do.
func notice(t *http.Transport) {
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: 2 * time.Second, PingTimeout: 2 * time.Second}
}

// reach has a call made by the HTTP client of this service.
func (s *s3Service) reach(o *s3.Options) { o.HTTPClient = s.http }

func (s *s3Service) create(ctx context.Context, key string, data []byte) error {
	_, err := s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: aws.String(s.bucket), Key: aws.String(key), Body: bytes.NewReader(data),
		ContentLength: aws.Int64(int64(len(data))), ContentType: aws.String("application/octet-stream"),
		IfNoneMatch: aws.String("*"), ServerSideEncryption: s.encryption, SSEKMSKeyId: s.key,
	}, s.reach, func(o *s3.Options) { o.Retryer = aws.NopRetryer{} })
	return err
}

func (s *s3Service) read(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(s.bucket), Key: aws.String(key)},
		s.reach, func(o *s3.Options) { o.DisableLogOutputChecksumValidationSkipped = true })
	if err != nil {
		return nil, 0, err
	}
	return out.Body, aws.ToInt64(out.ContentLength), nil
}

func (s *s3Service) remove(ctx context.Context, key string) error {
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: aws.String(s.bucket), Key: aws.String(key)},
		s.reach)
	return err
}

func (s *s3Service) after(as func(any) bool, key string) {
	var in *s3.ListObjectsV2Input
	if as(&in) {
		in.StartAfter = aws.String(key)
	}
}

func (s *s3Service) answer(err error) (a answer) {
	var withStatus interface {
		error
		HTTPStatusCode() int
	}
	if errors.As(err, &withStatus) {
		a.status = withStatus.HTTPStatusCode()
	}
	var withCode smithy.APIError
	if errors.As(err, &withCode) {
		a.code = withCode.ErrorCode()
	}
	var foreign *foreignError
	switch {
	case errors.As(err, &foreign):
		a.kind = permanent
	case a.status == http.StatusPreconditionFailed:
		a.kind = exists
	case a.code == "NoSuchBucket":
		a.kind = permanent
	case slices.Contains([]string{"ExpiredToken", "RequestTimeTooSkewed", "RequestExpired", "RequestTimeout",
		"SlowDown", "Throttling"}, a.code):
		a.kind = unavailable // it is otherwise with new credentials, a set clock, or later
	}
	return a
}
