// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

const backupPath = "/v1/backup"

// Backup writes a backup of the database to w, and returns how many bytes that were: of what is
// newer than another backup, whose head uproar.BackupInfo.WriteHead writes; of all of it without a
// head. After an error what was written is no backup. The blocks are not looked at:
// uproar.CopyBackup does that, and `uproar restore`. It is not sent again by itself.
func (c *Client) Backup(ctx context.Context, w io.Writer, since []byte) (int64, error) {
	r := request{method: http.MethodGet, path: backupPath}
	if since != nil {
		r = request{method: http.MethodPost, path: backupPath, contentType: "application/octet-stream", body: since}
	}
	resp, err := c.send(ctx, r, bytes.NewReader(r.body))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	in := &noted{r: resp.Body}
	n, err := io.Copy(w, in)
	if err != nil && in.err == err { // and not of w
		err = c.unanswered(ctx, *base(c), r, err)
	}
	return n, err
}

// noted keeps the error of a reader.
type noted struct {
	r   io.Reader
	err error
}

// Read reads.
func (n *noted) Read(p []byte) (int, error) {
	read, err := n.r.Read(p)
	if err != io.EOF {
		n.err = err
	}
	return read, err
}
