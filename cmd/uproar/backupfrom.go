// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// fetchBackup writes the backup that a server sends to out, and verifies it on the way. What was
// written after an error is no backup.
func fetchBackup(ctx context.Context, server string, as *remoteFlags, out io.Writer, since *uproar.BackupInfo,
	progress func(done, total int64)) (*uproar.BackupInfo, error) {
	req, err := backupRequest(ctx, server, since)
	if err != nil {
		return nil, err
	}
	client, err := as.prepare(req)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &adviceError{fmt.Errorf("asking %s for a backup: %w", server, err),
			"the address that uproar serve printed, with http:// before it"}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusedBackup(server, resp)
	}
	info, err := uproar.CopyBackup(out, resp.Body, progress)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, uproar.ErrNotBackup):
		return nil, &adviceError{fmt.Errorf("%s: %w", req.URL, err), "the address that uproar serve printed"}
	case err != nil:
		return nil, &adviceError{fmt.Errorf("the backup from %s broke off: %w", server, err),
			"again; the log of the server says why, if it was the server that ended it"}
	}
	base := ""
	if since != nil {
		base = since.ID
	}
	if info.Base != base {
		return nil, fmt.Errorf("the server at %s sent a backup that goes on from %q, want %q", server, info.Base, base)
	}
	return info, nil
}

// backupRequest returns the request for a full backup, or for an increment. For an increment it
// tells the server what the backup before it has.
func backupRequest(ctx context.Context, server string, since *uproar.BackupInfo) (*http.Request, error) {
	u, err := serverURL("--from", server, "/v1/backup")
	if err != nil {
		return nil, err
	}
	if since == nil {
		return http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	}
	var head bytes.Buffer
	if err := since.WriteHead(&head); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), &head)
	if err == nil {
		req.Header.Set("Content-Type", "application/octet-stream")
	}
	return req, err
}

// serverURL returns the address of a call of the server that a flag names.
func serverURL(flag, server, path string) (*url.URL, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" {
		return nil, &usageError{advise(flag+" http://"+defaultAddr, "%q is not the address of a server", server)}
	}
	return u.JoinPath(path), nil
}

// longestRefusal bounds what is read of an answer that is no backup.
const longestRefusal = 64 << 10

// refusedBackup returns the error of a server that answered with something else.
func refusedBackup(server string, resp *http.Response) error {
	code, err := refusal(server, resp)
	switch code {
	case api.CodeBackupBase:
		return fmt.Errorf("%w: %w", uproar.ErrBackupBase, err)
	case api.CodeForbidden:
		return &adviceError{err, "the command on the machine of the server, or a server that was started with " +
			"--remote-backups; and a token that may write, if it has tokens"}
	case api.CodeUnknownPath:
		return &adviceError{err, "a newer server: this one makes no backups"}
	}
	return unauthorized(code, err)
}

// refusal returns the error of a server that did not do what it was asked, and its code. The code
// is "" if it is no server of ours.
func refusal(server string, resp *http.Response) (api.Code, error) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, longestRefusal))
	var answer api.ErrorReply
	if json.Unmarshal(body, &answer) != nil || answer.Error.Code == "" {
		return "", fmt.Errorf("%s answered %s, and it is no server of Uproar", server, resp.Status)
	}
	return answer.Error.Code, fmt.Errorf("the server at %s refused: %s", server, answer.Error.Message)
}
