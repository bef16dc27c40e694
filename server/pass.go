// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"io"

	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/server/upload"
)

// pass has the copy at a location answer a call, and appends its answer to dst.
func (s *Server) pass(ctx context.Context, e *bound, c *call.Request, location string, dst []byte) response {
	var answer replica.Answer
	err := c.BodyErr
	ctx, step := trace.Begin(ctx, "pass on")
	defer func() { step.End(err) }()
	switch {
	case err != nil:
	case e.streams:
		err = upload.Relay(ctx, c, func(ctx context.Context, body io.Reader) (taken bool, err error) {
			answer, err = s.copy.Pass(ctx, c, location, body, dst)
			return answer.Status == 200, err
		})
	default:
		answer, err = s.copy.Pass(ctx, c, location, nil, dst)
	}
	if err != nil {
		return s.fail(ctx, e, err, dst)
	}
	if answer.Fields == nil {
		answer.Fields = [][2]string{} // it has answered all the same
	}
	return response{status: answer.Status, code: answer.Code, contentType: answer.ContentType, passed: answer.Fields,
		body: answer.Body}
}
