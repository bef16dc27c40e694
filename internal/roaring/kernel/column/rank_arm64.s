// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func firstCountNEON(counts []uint32, least uint32) int
//
// Sixteen counts at a time: four bits of R5 for each say whether it is no less. R3 is how many are
// left behind them.
TEXT ·firstCountNEON(SB), NOSPLIT, $0-40
	MOVD counts_base+0(FP), R1
	MOVD counts_len+8(FP), R3
	MOVWU least+24(FP), R4
	VDUP R4, V31.S4
	SUBS $16, R3
	BLT  few
loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	CMHSS(31, 0, 0)
	CMHSS(31, 1, 1)
	CMHSS(31, 2, 2)
	CMHSS(31, 3, 3)
	VUZP1 V1.H8, V0.H8, V0.H8
	VUZP1 V3.H8, V2.H8, V2.H8
	VUZP1 V2.B16, V0.B16, V0.B16
	SHRN4(0, 0)
	FMOVD F0, R5
	CBNZ R5, found
	SUBS $16, R3
	BGE  loop
few:
	ADDS $16, R3
	BEQ  done
one:
	MOVWU (R1), R5
	CMPW R4, R5
	BHS  done
	ADD  $4, R1
	SUBS $1, R3
	BNE  one
	B    done
found:
	RBIT R5, R5
	CLZ  R5, R5
	AND  $~3, R5             // four for each count before
	SUB  $64, R1
	ADD  R5, R1
done:
	MOVD counts_base+0(FP), R3
	SUB  R3, R1
	LSR  $2, R1
	MOVD R1, ret+32(FP)
	RET

// SHARES makes those lanes of V0 and V1, of eight counts, zeros whose counts are less than V30
// times their sizes, which are at R2.
#define SHARES \
	FLDPQ (R2), (F4, F5)           \
	VUXTL V2.S2, V16.D2            \
	VUXTL2 V2.S4, V17.D2           \
	VUXTL V3.S2, V18.D2            \
	VUXTL2 V3.S4, V19.D2           \
	VUXTL V4.S2, V20.D2            \
	VUXTL2 V4.S4, V21.D2           \
	VUXTL V5.S2, V22.D2            \
	VUXTL2 V5.S4, V23.D2           \
	UCVTFV(16, 16)                 \
	UCVTFV(17, 17)                 \
	UCVTFV(18, 18)                 \
	UCVTFV(19, 19)                 \
	UCVTFV(20, 20)                 \
	UCVTFV(21, 21)                 \
	UCVTFV(22, 22)                 \
	UCVTFV(23, 23)                 \
	FMULV(30, 20, 20)              \
	FMULV(30, 21, 21)              \
	FMULV(30, 22, 22)              \
	FMULV(30, 23, 23)              \
	FCMGEV(20, 16, 16)             \
	FCMGEV(21, 17, 17)             \
	FCMGEV(22, 18, 18)             \
	FCMGEV(23, 19, 19)             \
	VUZP1 V17.S4, V16.S4, V16.S4   \
	VUZP1 V19.S4, V18.S4, V18.S4   \
	VAND V16.B16, V0.B16, V0.B16   \
	VAND V18.B16, V1.B16, V1.B16

// BYTES leaves in R5 a byte for each of the eight lanes of V0 and V1.
#define BYTES \
	VUZP1 V1.H8, V0.H8, V6.H8      \
	XTNB(6, 6)                     \
	FMOVD F6, R5

// func lastShareNEON(counts, sizes []uint32, least uint32, part float64) int
//
// Eight counts at a time from the end on. Counts that are too small are passed over before their
// shares are looked at. R3 is how many are left before R1 and R2.
TEXT ·lastShareNEON(SB), NOSPLIT, $0-72
	MOVD counts_base+0(FP), R1
	MOVD counts_len+8(FP), R3
	MOVD sizes_base+24(FP), R2
	MOVWU least+48(FP), R4
	FMOVD part+56(FP), F30
	VDUP R4, V31.S4
	VDUP V30.D[0], V30.D2
	ADD  R3<<2, R1
	ADD  R3<<2, R2
	SUBS $8, R3
	BLT  few
loop:
	SUB  $32, R1
	SUB  $32, R2
	FLDPQ (R1), (F2, F3)
	CMHSS(31, 2, 0)
	CMHSS(31, 3, 1)
	BYTES
	CBNZ R5, some
next:
	SUBS $8, R3
	BGE  loop
few:
	ADDS $8, R3
	BEQ  none
one:
	SUB  $4, R1
	SUB  $4, R2
	MOVWU (R1), R5
	CMPW R4, R5
	BLO  less
	MOVWU (R2), R6
	UCVTFD R5, F0
	UCVTFD R6, F1
	FMULD F30, F1, F1
	FCMPD F1, F0
	BGE  last                // not if one of both is no number
less:
	SUBS $1, R3
	BNE  one
none:
	MOVD $-1, R3
	MOVD R3, ret+64(FP)
	RET
last:
	SUB  $1, R3
	MOVD R3, ret+64(FP)
	RET
some:
	SHARES
	BYTES
	CBZ  R5, next
	CLZ  R5, R5
	LSR  $3, R5
	ADD  $7, R3
	SUB  R5, R3
	MOVD R3, ret+64(FP)
	RET
