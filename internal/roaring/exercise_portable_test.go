// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"bytes"
	"errors"
	"io"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// eachRuns calls f, which writes a set in one of the portable formats, for each choice of runs.
func (o *operands) eachRuns(f func(runs Runs) uint64) (sum uint64) {
	for _, runs := range []Runs{RunsIfSmaller, NoRuns, RunsAsStored} {
		sum = sum*31 + f(runs)
	}
	return sum
}

// narrow demands that an error is of values above 32 bits.
func (o *operands) narrow(err error) uint64 {
	o.t.Helper()
	if _, ok := errors.AsType[*RangeError](err); err != nil && !ok {
		o.t.Fatalf("got %v, want an error of the values' range", err)
	}
	return roaringtest.One(err == nil)
}

// portableWriteCalls write a set in the portable formats: what is written is valid, whatever it was
// made from.
var portableWriteCalls = []roaringtest.Call[*operands]{
	{Name: "View.AppendPortable32", Do: func(o *operands) uint64 {
		return o.eachRuns(func(runs Runs) uint64 {
			file, err := o.a.AppendPortable32(nil, runs)
			if err == nil {
				if _, err := FromPortable32(file); err != nil {
					o.t.Fatal(err)
				}
			}
			return uint64(len(file)) + o.narrow(err)
		})
	}},
	{Name: "View.AppendPortable64", Do: func(o *operands) uint64 {
		return o.eachRuns(func(runs Runs) uint64 {
			m, err := FromPortable64(o.a.AppendPortable64(nil, runs))
			if err != nil {
				o.t.Fatal(err)
			}
			return o.made(m)
		})
	}},
	{Name: "View.WritePortable32", Do: func(o *operands) uint64 {
		return o.eachRuns(func(runs Runs) uint64 {
			n, err := o.a.WritePortable32(io.Discard, runs)
			return uint64(n) + o.narrow(err)
		})
	}},
	{Name: "View.WritePortable64", Do: func(o *operands) uint64 {
		return o.eachRuns(func(runs Runs) uint64 {
			n, err := o.a.WritePortable64(io.Discard, runs)
			if err != nil {
				o.t.Fatal(err)
			}
			return uint64(n)
		})
	}},
	{Name: "RangeError.Error", Do: func(o *operands) uint64 {
		_, err := o.a.AppendPortable32(nil, NoRuns)
		if e, ok := errors.AsType[*RangeError](err); ok {
			return uint64(len(e.Error()))
		}
		return 0
	}},
}

// made calls f, which makes a set of the bytes, and looks at it as replaced does.
func (b rawBytes) made(f func() (*Bitmap, error)) uint64 {
	b.t.Helper()
	return b.replaced(func(m *Bitmap) error {
		read, err := f()
		if err == nil {
			*m = *read
		}
		if len(b.data) == 0 && errors.Is(err, io.EOF) {
			return nil // nothing to read is not an error of the format
		}
		return err
	})
}

// portableReadCalls read the portable formats.
var portableReadCalls = []roaringtest.Call[rawBytes]{
	{Name: "FromPortable32", Do: func(b rawBytes) uint64 {
		return b.made(func() (*Bitmap, error) { return FromPortable32(b.data) })
	}},
	{Name: "FromPortable64", Do: func(b rawBytes) uint64 {
		return b.made(func() (*Bitmap, error) { return FromPortable64(b.data) })
	}},
	{Name: "ReadPortable32", Do: func(b rawBytes) uint64 {
		return b.made(func() (*Bitmap, error) { return ReadPortable32(bytes.NewReader(b.data)) })
	}},
	{Name: "ReadPortable64", Do: func(b rawBytes) uint64 {
		return b.made(func() (*Bitmap, error) { return ReadPortable64(bytes.NewReader(b.data)) })
	}},
}
