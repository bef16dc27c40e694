// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/uproar-db/uproar/store"
)

// Badger numbers the files of its value log on from the greatest that is there. If a disk has lost
// that file, or a copy was made without it, the number would be given out again: keys still point
// to where their values were, and Badger, which compares checksums and no keys, would answer with
// whatever stands there now. So a file of ours says up to which number they may have been given
// out:
//
//	"%d %08x\n"   the number, and the CRC-32C of its digits
//
// It is ahead while the store is open, and exact when it was closed, unless a file was being
// rewritten then, or the newest one was lost. Where the greatest number that is there is less at
// opening, as it is after a kill, a file without an entry is added that has the one which may have
// been given out. The file is a belt: without it, as in stores of before it, and where it is
// damaged, what is there counts.

const (
	numbersFile = "NUMBERS"

	// numbersAhead is how many numbers are put down at a time, and half of it how many are left at
	// least when the folder is looked at: before a file is rewritten, which takes a few of them,
	// and after so much was committed as fills lookAfter files.
	numbersAhead = 256
	lookAfter    = 16
)

// numbers are those of the files of a store that is open. Safe for concurrent use.
type numbers struct {
	dir      string
	fileSize int64

	mu    sync.Mutex
	seen  uint32 // the greatest that was there
	limit uint32 // what is put down
	wrote int64  // by commits, about, since the folder was looked at
}

// start looks for the first time, after Badger has added a file to the ones that were given out.
// Nothing may have been written to it yet.
func (n *numbers) start(dir string, fileSize int64) error {
	given, _, err := numberGiven(dir)
	if err != nil {
		return err
	}
	n.dir, n.fileSize, n.seen = dir, fileSize, given
	return n.look()
}

// note tells that size bytes are about to be committed. With an error, which may pass, they must
// not be.
func (n *numbers) note(size int64) error {
	n.mu.Lock()
	n.wrote += size
	due := n.wrote >= lookAfter*n.fileSize
	n.mu.Unlock()
	if !due {
		return nil
	}
	if err := n.look(); err != nil {
		return fmt.Errorf("badgerstore: %w", makeRoom(err))
	}
	return nil
}

// look sees to it that there are numbers left. With an error, which may pass, nothing must be
// written.
func (n *numbers) look() error {
	if !locks {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	newest, err := newestValueLog(n.dir)
	n.seen = max(n.seen, newest)
	if err == nil && int64(n.limit)-int64(n.seen) < numbersAhead/2 {
		if err = putNumber(n.dir, n.seen+numbersAhead); err == nil {
			n.limit = n.seen + numbersAhead
		}
	}
	if err != nil {
		return fmt.Errorf("put down numbers of files: %w", err)
	}
	n.wrote = 0
	return nil
}

// makeRoom adds advice to an error that a file cannot be made for lack of room or descriptors. Such
// an error matches store.ErrFull.
func makeRoom(err error) error {
	switch {
	case isFull(err):
		return fmt.Errorf("%w: %w. Try: make room on that disk", store.ErrFull, err)
	case tooMany(err):
		return fmt.Errorf("%w: %w. Try: a higher limit of open files (ulimit -n, fs.file-max)", store.ErrFull, err)
	}
	return err
}

// stop puts down the number of the newest file. No more may be written then, while Badger still has
// its files open. The store is opened as after a kill if that fails, or if Badger may have made and
// lost a file after it.
func (n *numbers) stop() {
	if n.dir == "" || !locks {
		return
	}
	newest, err := newestValueLog(n.dir)
	if err != nil || newest < n.seen {
		return
	}
	// Badger makes room for twice the size of a file in the one that it writes to, and has cut off
	// what is left of it before it makes the next.
	if info, err := os.Stat(valueLogPath(n.dir, newest)); err == nil && info.Size() == 2*n.fileSize {
		_ = putNumber(n.dir, newest)
	}
}

// errNumbers says that it could not be read which numbers were given out.
var errNumbers = errors.New("the numbers of value-log files that were given out cannot be read")

// numberGiven returns up to which number value-log files may have been given out; 0: unknown.
// damage says how the file that tells is damaged. A file that cannot be read may be whole: the
// error is errNumbers and the file system's.
func numberGiven(dir string) (file uint32, damage string, err error) {
	if !locks {
		return 0, "", nil
	}
	path := filepath.Join(dir, numbersFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", fmt.Errorf("%w: %w", errNumbers, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 40)) // more than it ever has
	if err != nil {
		return 0, "", fmt.Errorf("%w: %w", errNumbers, err)
	}
	_, err = fmt.Sscanf(string(data), "%d", &file)
	if err != nil || file > maxValueLog || !bytes.Equal(data, numberText(file)) {
		return 0, fmt.Sprintf("%s: %q is not as it was written", path, data), nil
	}
	return file, "", nil
}

// putNumber puts down up to which number files may be given out, whole or not at all, and durably.
func putNumber(dir string, file uint32) error {
	path := filepath.Join(dir, numbersFile)
	if err := replaceFile(path, numberText(file)); err != nil {
		return err
	}
	return syncFolder(dir)
}

func numberText(file uint32) []byte {
	digits := fmt.Sprint(file)
	return fmt.Appendf(nil, "%s %08x\n", digits, crc32.Checksum([]byte(digits), castagnoli))
}
