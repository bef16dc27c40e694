// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package eventloop

import (
	"context"
	"errors"
	"net"
)

// Loops serve connections.
type Loops struct{}

// New fails: errors.ErrUnsupported.
func New(*Options) (*Loops, error) { return nil, errors.ErrUnsupported }

// Add is never called.
func (*Loops) Add(net.Conn, Owner) error { return errors.ErrUnsupported }

// Stop is never called.
func (*Loops) Stop() {}

// Wait is never called.
func (*Loops) Wait(context.Context) error { return nil }
