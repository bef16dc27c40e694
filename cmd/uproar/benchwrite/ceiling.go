// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

// ceilingFile is how long the file may get before it is begun anew.
const ceilingFile = 1 << 30

// AppendRate returns how many bytes a second the disk takes in appends of size to one file. Each
// append is synced. It removes the file.
func AppendRate(ctx context.Context, path string, size int, d time.Duration) (rate float64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(path)) }()
	data := randomText(1, max(size, 1))
	total, length := 0, 0
	start := time.Now()
	for ctx.Err() == nil && (total == 0 || time.Since(start) < d) { // one at least, however late
		if length > ceilingFile {
			length = 0
			if err := f.Truncate(0); err != nil {
				return 0, err
			}
			if _, err := f.Seek(0, 0); err != nil {
				return 0, err
			}
		}
		if _, err := f.Write(data); err != nil {
			return 0, err
		}
		if err := procfs.SyncData(f); err != nil {
			return 0, err
		}
		total, length = total+len(data), length+len(data)
	}
	return float64(total) / seconds(time.Since(start)), nil
}
