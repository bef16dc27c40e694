// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func ends(list [][]byte)
// The list has at least one. An address that cannot be read is no fault: the processor does not ask
// for it.
TEXT ·ends(SB), NOSPLIT, $0-24
	MOVQ list_base+0(FP), AX
	MOVQ list_len+8(FP), CX

next:
	MOVQ       (AX), DX
	MOVQ       8(AX), BX
	PREFETCHT0 (DX)
	PREFETCHT0 -1(DX)(BX*1)
	ADDQ       $24, AX
	DECQ       CX
	JNZ        next
	RET
