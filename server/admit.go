// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import "context"

const (
	// smallBody is the size of a body up to which its request is not worth waiting for.
	smallBody = 64 << 10

	// admittedBodies is how many bodies of the largest size may be worked on at a time. Decoded and bound to records, a body takes some ten times its
	// size; more requests at a time would not be faster, because commits are made one after the other.
	admittedBodies = 2
)

// admit waits until the large bodies that are being worked on leave room for another, in order of arrival. release, which is never nil, makes room again.
func (s *Server) admit(ctx context.Context, body int) (release func(), err error) {
	if body <= smallBody {
		return func() {}, nil
	}
	weight := min(int64(body), s.opts.MaxBody)
	if err := s.bodies.Acquire(ctx, weight); err != nil {
		return func() {}, err
	}
	return func() { s.bodies.Release(weight) }, nil
}
