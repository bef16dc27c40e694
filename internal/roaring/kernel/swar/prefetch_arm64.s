// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func prefetchNEON(b []byte)
TEXT ·prefetchNEON(SB), NOSPLIT, $0-24
	MOVD b_base+0(FP), R0
	MOVD b_len+8(FP), R1
	ADD  R0, R1 // the end
	AND  $~63, R0
	B    test
line:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
test:
	CMP  R1, R0
	BLO  line
	RET
