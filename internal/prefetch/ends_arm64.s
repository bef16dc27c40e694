// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func ends(list [][]byte)
// The list has at least one. An address that cannot be read is no fault: the processor does not ask
// for it.
TEXT ·ends(SB), NOSPLIT, $0-24
	MOVD list_base+0(FP), R0
	MOVD list_len+8(FP), R1

next:
	MOVD (R0), R2
	MOVD 8(R0), R3
	ADD  R2, R3
	SUB  $1, R3
	PRFM (R2), PLDL1KEEP
	PRFM (R3), PLDL1KEEP
	ADD  $24, R0
	SUB  $1, R1
	CBNZ R1, next
	RET
