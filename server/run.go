// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// run answers a call, and appends the body of the answer to dst. It never panics.
func (s *Server) run(ctx context.Context, e *bound, c call.Request, dst []byte) response {
	contentType := call.ContentJSON
	if e.errorFormat != nil {
		contentType = e.errorFormat.ContentType
	}
	body, stream, special, err := try(ctx, e.Handle, c, dst)
	if err == nil && stream != nil {
		return response{status: 200, contentType: special, body: dst, stream: stream}
	}
	if err == nil && special != "" {
		return response{status: 200, contentType: special, body: body}
	}
	if err == nil {
		return response{status: 200, contentType: contentType, body: append(body, '\n')}
	}
	return s.fail(ctx, e, err, dst)
}

// fail appends what an error is answered with to dst.
func (s *Server) fail(ctx context.Context, e *bound, err error, dst []byte) response {
	failed := call.Failure(err)
	if failed.Code == api.CodeInternal {
		failed.RequestID = s.ids.next()
		attrs := []slog.Attr{slog.String("request_id", failed.RequestID), slog.String("endpoint", e.Name),
			slog.Any("error", err)}
		if p, ok := err.(*call.Panicked); ok {
			attrs = append(attrs, slog.String("stack", string(p.Stack)))
		}
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
	}
	if isDisk(failed) && e.Name != "readyz" {
		s.diskFailed(ctx, e, failed, err)
	}
	if e.errorFormat != nil {
		body, status := e.errorFormat.Fail(dst, failed, err)
		return response{status: status, code: failed.Code, contentType: e.errorFormat.ContentType,
			body: append(body, '\n')}
	}
	body := api.ErrorReply{Error: *failed}.AppendJSON(dst)
	return response{status: failed.Code.Status(), code: failed.Code, contentType: call.ContentJSON, body: append(body,
		'\n')}
}

func try(ctx context.Context, handle call.Handler, c call.Request, dst []byte) (body []byte,
	stream io.ReadCloser,
	contentType string, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &call.Panicked{Value: value, Stack: debug.Stack()}
		}
	}()
	r, err := handle(ctx, c)
	if err != nil {
		return dst, nil, "", err
	}
	switch r := r.(type) {
	case call.Source:
		body, err = r.Append(dst)
	case call.Text:
		return append(dst, r.Body...), nil, r.ContentType, nil
	case call.Streamed:
		return dst, r.Stream, r.ContentType, nil
	default:
		body = r.AppendJSON(dst)
	}
	return body, nil, "", err
}
