// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package folder

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar/store/ship"
)

// List implements ship.Engine. It reads the folders that may have such names, each as a whole.
func (e *Engine) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		w := walk{engine: e, ctx: ctx, prefix: prefix, after: after, yield: yield}
		// Names that are not in this folder have not the prefix.
		start := prefix[:strings.LastIndexByte(prefix, '/')+1]
		if start != "" && ship.CheckName(strings.TrimSuffix(start, "/")) != nil {
			start = "" // there are no such names; ctx is asked all the same
		}
		w.folder(start)
	}
}

// walk lists folders in the order of the names below them.
type walk struct {
	engine        *Engine
	ctx           context.Context
	prefix, after string
	yield         func(string, error) bool
}

// folder lists a folder, which is named with a slash at the end, or "" for all. It reports whether
// to go on.
func (w *walk) folder(folder string) bool {
	if err := w.ctx.Err(); err != nil {
		w.yield("", err)
		return false
	}
	entries, err := os.ReadDir(w.engine.file(folder))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return true // removed, or never there
	}
	if err != nil {
		w.yield("", failure("list", folder, err))
		return false
	}
	// A folder stands where its names do, which all have its slash.
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		switch name := folder + entry.Name(); {
		case ship.CheckName(name) != nil:
		case entry.IsDir():
			names = append(names, name+"/")
		case entry.Type().IsRegular():
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		isFolder := strings.HasSuffix(name, "/")
		switch {
		case isFolder && !strings.HasPrefix(name, w.prefix) && !strings.HasPrefix(w.prefix, name):
		case isFolder && name < w.after && !strings.HasPrefix(w.after, name):
		case isFolder:
			if !w.folder(name) {
				return false
			}
		case strings.HasPrefix(name, w.prefix) && name > w.after:
			if !w.yield(name, nil) {
				return false
			}
		}
	}
	return true
}
