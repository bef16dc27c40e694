// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// realNames are the files of RoaringBitmap's real data sets that are compared on.
var realNames = []string{"census-income", "census1881", "weather_sept_85", "wikileaks-noquotes", "uscensus2000"}

// readZip reads a data set: each entry of the file is a set, as decimal values with commas between.
func readZip(dir, name string) (d *dataset, err error) {
	z, err := zip.OpenReader(filepath.Join(dir, name+".zip"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: -data names the folder with RoaringBitmap's real data sets as zip files", err)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, z.Close()) }()
	lists := make([][]uint64, len(z.File))
	for i, f := range z.File {
		if lists[i], err = readEntry(f); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, f.Name, err)
		}
	}
	return newDataset(name, lists), nil
}

func readEntry(f *zip.File) (list []uint64, err error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return readValues(bufio.NewReader(r))
}

// readValues reads decimal numbers with anything else between them.
func readValues(r io.ByteReader) (list []uint64, err error) {
	x, digits := uint64(0), false
	for {
		c, err := r.ReadByte()
		switch {
		case err == nil && c >= '0' && c <= '9':
			x, digits = 10*x+uint64(c-'0'), true
			continue
		case digits:
			list = append(list, x)
			x, digits = 0, false
		}
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
