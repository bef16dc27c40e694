// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"

	"github.com/prometheus/common/expfmt"
	"github.com/uproar-db/uproar/server/call"
)

// metricsText gives what Prometheus reads. A figure that cannot be had is left out, and logged.
func (s *Server) metricsText(context.Context, call.NoParameters) (call.Reply, error) {
	families, err := s.metrics.registry.Gather()
	if err != nil {
		s.opts.Logger.Error("metrics", "error", err)
	}
	form := expfmt.NewFormat(expfmt.TypeTextPlain)
	var b bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			return nil, err
		}
	}
	return call.Text{ContentType: string(form), Body: b.Bytes()}, nil
}
