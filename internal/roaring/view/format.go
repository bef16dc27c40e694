// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

// Forms of a body.
const (
	FormEmpty   = 0
	FormSingle  = 1
	FormList    = 2
	FormCompact = 3
	FormLoose   = 4
)

// First bytes of a body, and the fields that follow it.
const (
	tagListMax   = 0xD1
	tagNear      = 0xD2 // of low width 0; those of the others follow
	tagNearMax   = 0xF7
	TagDirectory = 0xF8
	TagSingle    = 0xF9
	tagLong      = 0xFA
	tagFixed     = 0xFB // of 4 bytes a value; those of 5 to 7 follow
	tagFixedMax  = 0xFE

	HeaderLoose = 40
	EntryBytes  = 16

	WidthsLoose    = 0x40
	widthsReserved = 0x80
	maxWidth       = 6
	MaxLowWidth    = 63
)

// Fields of a loose header that are read outside validation.
const (
	LooseCountAt = 8
	LooseAt      = 16
)

// The stand-alone envelope: magic, version and flags, body length, body, optional checksum.
const (
	Magic         = 0xB5
	Version       = 1
	VersionMask   = 0x0F
	WidthShift    = 4
	WidthMask     = 0x03
	FlagChecksum  = 0x40
	FlagReserved  = 0x80
	ChecksumBytes = 4
)
