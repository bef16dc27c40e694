// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"fmt"
	"os"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// folder has a benchmark of a graph show its progress, in a temporary folder if it has none:
// done removes that.
func folder(con *terminal.Console, opts *Options) (shown *shownProgress, done func() error, err error) {
	done = func() error { return nil }
	if opts.Dir == "" {
		dir, err := os.MkdirTemp("", "uproar-bench-")
		if err != nil {
			return nil, nil, err
		}
		opts.Dir, done = dir, func() error { return os.RemoveAll(dir) }
	} else if files, err := os.ReadDir(opts.Dir); err == nil && len(files) > 0 && !opts.Loaded {
		return nil, nil, fmt.Errorf("%s is not empty: it has %s; want --reuse, or a folder that does not exist yet", opts.Dir,
			files[0].Name())
	}
	shown = &shownProgress{con.Progress("beginning", 0)}
	opts.Phase = func(what string) {
		shown.Finish()
		shown.Progress = con.Progress(what, 1)
	}
	opts.Progress = func(done, total int64) { shown.Update(done, total, terminal.Count(done)) }
	return shown, done, nil
}

// shownProgress is the progress of what a benchmark is doing.
type shownProgress struct{ *terminal.Progress }
