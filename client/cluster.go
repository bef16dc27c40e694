// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"

	"github.com/uproar-db/uproar/api"
)

// Cluster asks a server about the copies of its database.
type Cluster struct{ c *Client }

// Cluster returns what asks about the copies of the database.
func (c *Client) Cluster() Cluster { return Cluster{c} }

// Nodes returns the copies and checkpoints that the log of the database has.
func (x Cluster) Nodes(ctx context.Context) (reply api.ClusterReply, err error) {
	err = x.c.get(ctx, "/v1/cluster", nil, &reply)
	return reply, err
}

// Copy returns how the copy of the database that the server has is doing. It is the zero value when
// there is one only.
func (x Cluster) Copy(ctx context.Context) (api.CopyReply, error) {
	var reply api.HealthReply
	if err := x.c.get(ctx, "/healthz", nil, &reply); err != nil || reply.Copy == nil {
		return api.CopyReply{}, err
	}
	return *reply.Copy, nil
}

// HandOver has the server, whose copy of the database leads, let another copy take the writes.
func (x Cluster) HandOver(ctx context.Context) (api.CopyReply, error) {
	var reply api.HealthReply
	if err := x.c.post(ctx, "/v1/handover", struct{}{}, &reply, false); err != nil || reply.Copy == nil {
		return api.CopyReply{}, err
	}
	return *reply.Copy, nil
}
