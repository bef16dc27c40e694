// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"os"
	"path/filepath"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// CheckTarget fails for a folder in which the database of another cannot be made anew, before
// either is opened: the copy would lie among the files that are copied, or there is something else.
func CheckTarget(from, to, engineName string) error {
	const anew = "a folder that does not exist yet, or an empty one"
	inside, err := isInside(to, from)
	if err != nil {
		return err
	}
	if inside {
		return &terminal.UsageError{Err: terminal.Advise(anew+", outside of "+from,
			"--to: got %s, which is or lies in %s, the folder of the database, want one outside of it", to, from)}
	}
	found, err := EngineOf(to, true)
	if err == nil && found != "" && engineName != Detect && engineName != found {
		err = terminal.Advise(anew, "--to: got %s, which has a database of %s, want an empty folder for one of %s", to,
			found, engineName)
	}
	return err
}

// isInside reports whether a path is a folder, or would lie in it. It follows links.
func isInside(path, folder string) (bool, error) {
	of, err := os.Stat(folder)
	if err != nil {
		return false, nil // who opens it tells why
	}
	if path, err = filepath.Abs(path); err != nil {
		return false, err
	}
	for { // up to what there is
		there, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = there
			break
		}
		if filepath.Dir(path) == path {
			break
		}
		path = filepath.Dir(path)
	}
	for ; ; path = filepath.Dir(path) {
		if at, err := os.Stat(path); err == nil && os.SameFile(at, of) {
			return true, nil
		}
		if filepath.Dir(path) == path {
			return false, nil
		}
	}
}
