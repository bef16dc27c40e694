// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// tap sends events until each is acknowledged. Their numbers are no positions: they begin anew when
// tap does.
type tap struct {
	server
	client *http.Client
}

// Connect connects. tap goes on with what was not acknowledged.
func (s *tap) Connect(ctx context.Context, _ int64, _ bool) (live.Stream, error) {
	c, err := s.dial(ctx, s.at("/channel", nil))
	if err != nil {
		return nil, err
	}
	return &tapEvents{c}, nil
}

// tapEvents reads one connection.
type tapEvents struct{ *connection }

// Next waits for an event.
func (s *tapEvents) Next(ctx context.Context) (live.Event, error) {
	frame, err := s.frame(ctx)
	if err != nil {
		return live.Event{}, err
	}
	return readTap(frame), nil
}

// Ack acknowledges events one by one, as tap wants it.
func (s *tapEvents) Ack(ctx context.Context, ids []int64) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	var frame []byte
	for _, id := range ids {
		frame = append(frame[:0], `{"type":"ack","id":`...)
		frame = append(strconv.AppendInt(frame, id, 10), '}')
		if err := s.send(ctx, frame); err != nil {
			return fmt.Errorf("live: acknowledge: %w", err)
		}
	}
	return nil
}

// readTap reads a frame.
func readTap(frame []byte) (e live.Event) {
	var f struct {
		ID     int64  `json:"id"`
		Type   string `json:"type"`
		Record *struct {
			Live    bool   `json:"live"`
			Account string `json:"did"`
			commit
		} `json:"record"`
		Identity *struct {
			Account string `json:"did"`
			Active  *bool  `json:"is_active"`
			Status  string `json:"status"`
		} `json:"identity"`
	}
	if unmarshal(frame, &f) != nil {
		return live.Event{Skip: live.BadFrame}
	}
	e.ID = f.ID
	switch {
	case f.Type == "record" && f.Record != nil:
		e.Account, e.Backfill = f.Record.Account, !f.Record.Live
		if f.Record.Live {
			e.Time = timeOf(f.Record.Rev)
		}
		f.Record.commit.put(&e)
	case f.Type == "identity" && f.Identity != nil:
		e.Account = f.Identity.Account
		(&account{f.Identity.Active, f.Identity.Status}).put(&e)
	case f.Type == "record" || f.Type == "identity":
		e.Skip = live.BadFrame
	default:
		e.Skip = live.OtherKind
	}
	return e
}

// Refetch has tap forget an account and track it anew, for which it fetches the repository.
func (s *tap) Refetch(ctx context.Context, account string) error {
	body, err := json.Marshal(map[string][]string{"dids": {account}})
	if err != nil {
		return err
	}
	for _, path := range []string{"/repos/remove", "/repos/add"} {
		if _, err := s.ask(ctx, http.MethodPost, path, body); err != nil {
			return err
		}
	}
	return nil
}

// Host asks tap for the DID document of an account, which names the host.
func (s *tap) Host(ctx context.Context, account string) (string, error) {
	body, err := s.ask(ctx, http.MethodGet, "/resolve/"+url.PathEscape(account), nil)
	if err != nil {
		return "", err
	}
	var document struct {
		Service []struct {
			ID       string          `json:"id"`
			Endpoint json.RawMessage `json:"serviceEndpoint"`
		} `json:"service"`
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return "", fmt.Errorf("live: the document of an account: %w", err)
	}
	for _, service := range document.Service {
		var endpoint string
		if strings.HasSuffix(service.ID, "#atproto_pds") && json.Unmarshal(service.Endpoint, &endpoint) == nil {
			u, err := url.Parse(endpoint)
			if err != nil {
				return "", fmt.Errorf("live: the host of an account: %w", err)
			}
			return strings.ToLower(u.Host), nil
		}
	}
	return "", nil
}

// Fetched asks tap for the state of an account. tap forgot the records that it had when it was told
// to remove the account: those of its state are those that it sends.
func (s *tap) Fetched(ctx context.Context, account string) (live.Fetched, error) {
	body, err := s.ask(ctx, http.MethodGet, "/info/"+url.PathEscape(account), nil)
	if r, ok := err.(*refusal); ok && r.Status == http.StatusNotFound {
		return live.Fetched{}, &live.FetchError{Account: account, Reason: "tap does not track it"}
	}
	if err != nil {
		return live.Fetched{}, err
	}
	var info struct {
		State   string `json:"state"`
		Error   string `json:"error"`
		Rev     string `json:"rev"`
		Records int    `json:"records"`
	}
	if err := json.Unmarshal(body, &info); err != nil {
		return live.Fetched{}, fmt.Errorf("live: tap's state of an account: %w", err)
	}
	switch info.State {
	case "error":
		return live.Fetched{}, &live.FetchError{Account: account, Reason: info.Error}
	case "takendown", "suspended", "deactivated":
		return live.Fetched{}, &live.FetchError{Account: account, Reason: "the account is " + info.State}
	}
	return live.Fetched{Done: info.State == "active", Rev: info.Rev, Records: info.Records}, nil
}

// ask makes a call of tap.
func (s *tap) ask(ctx context.Context, verb, path string, body []byte) ([]byte, error) {
	u := s.base
	u.Scheme = map[string]string{"ws": "http", "wss": "https"}[u.Scheme]
	u = *u.JoinPath(path)
	req, err := http.NewRequestWithContext(ctx, verb, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = s.header()
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	answer, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode/100 != 2 {
		err = &refusal{Status: answer.StatusCode, Text: string(text)}
	}
	return text, err
}
