// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// func arrayValuesNEON(dst []uint64, lows []byte, base uint64)
TEXT ·arrayValuesNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R3
	MOVD lows_base+24(FP), R1
	MOVD lows_len+32(FP), R4
	LSR  $1, R4
	CMP  R4, R3
	CSEL HI, R4, R3, R3
	MOVD base+48(FP), R5
	VDUP R5, V31.D2
	SUBS $8, R3
	BLO  few
loop:
	FMOVQ.P 16(R1), F0
	VUXTL V0.H4, V1.S4
	VUXTL2 V0.H8, V2.S4
	VUADDW V1.S2, V31.D2, V4.D2
	VUADDW2 V1.S4, V31.D2, V5.D2
	VUADDW V2.S2, V31.D2, V6.D2
	VUADDW2 V2.S4, V31.D2, V7.D2
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R0)
	SUBS $8, R3
	BHS  loop
few:
	ADDS $8, R3
	BEQ  done
one:
	MOVHU.P 2(R1), R4
	ADD  R5, R4
	MOVD.P R4, 8(R0)
	SUBS $1, R3
	BNE  one
done:
	RET
