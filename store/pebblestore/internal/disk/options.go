// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"
)

// Format is the version of the engine's files. It is raised by hand only: older programs do not
// open a store of a newer one.
const Format = pebble.FormatWALSyncChunks

// merged is how many memtables are merged at once. Of more of them less is written, and room is
// returned later.
const merged = 16

// Options returns what the engine is given, with memtables and a cache of so many bytes.
func (d *Disk) Options(memTable uint64, cache int64, compression *block.CompressionProfile) *pebble.Options {
	o := &pebble.Options{
		FS:                          d,
		Logger:                      logger{d},
		EventListener:               d.listener(),
		FormatMajorVersion:          Format,
		MemTableSize:                memTable,
		MemTableStopWritesThreshold: 2,
		CacheSize:                   cache,
		MaxOpenFiles:                256,
		BytesPerSync:                4 << 20,
		L0CompactionThreshold:       2 * merged, // the engine begins at half of it
		L0StopWritesThreshold:       3 * merged,
		LBaseMaxBytes:               2 * merged * int64(memTable),
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
	}
	o.TargetFileSizes[0] = 8 << 20 // each table is synced
	for i := range o.Levels {
		o.Levels[i].BlockSize = 8 << 10
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	// The mark knows the log's commits only: what is ingested must stand in the manifest.
	o.Experimental.DisableIngestAsFlushable = func() bool { return true }
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.UniformDBCompressionSettings(compression)
	})
	o.EnsureDefaults()
	return o
}
