// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// FetchBackup writes the backup that a server sends to out, and verifies it on the way. What was
// written after an error is no backup.
func FetchBackup(ctx context.Context, server string, as *RemoteFlags, out io.Writer, since *uproar.BackupInfo,
	progress func(done, total int64)) (*uproar.BackupInfo, error) {
	req, err := backupRequest(ctx, server, since)
	if err != nil {
		return nil, err
	}
	client, err := as.Prepare(req)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &terminal.AdviceError{Err: fmt.Errorf("asking %s for a backup: %w", server, err),
			Try: "the address that uproar serve printed, with http:// before it"}

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
		return nil, &terminal.AdviceError{Err: fmt.Errorf("%s: %w", req.URL, err),
			Try: "the address that uproar serve printed"}
	case err != nil:
		return nil, &terminal.AdviceError{Err: fmt.Errorf("the backup from %s broke off: %w", server, err),
			Try: "again; the log of the server says why, if it was the server that ended it"}

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
	u, err := ServerURL("--from", server, "/v1/backup")
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

// refusedBackup returns the error of a server that answered with something else.
func refusedBackup(server string, resp *http.Response) error {
	code, err := Refusal(server, resp)
	switch code {
	case api.CodeBackupBase:
		return fmt.Errorf("%w: %w", uproar.ErrBackupBase, err)
	case api.CodeForbidden:
		return &terminal.AdviceError{Err: err,
			Try: "the command on the machine of the server, or a server that was started with " +
				"--remote-backups; and a token that may write, if it has tokens"}

	case api.CodeUnknownPath:
		return &terminal.AdviceError{Err: err, Try: "a newer server: this one makes no backups"}
	}
	return Unauthorized(code, err)
}
