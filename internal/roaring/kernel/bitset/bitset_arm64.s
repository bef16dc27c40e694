// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Words are combined and counted in one pass, 64 bytes at a time: CNT counts the ones of each byte,
// the counts of four vectors are added as bytes, which have at most 32 then,
// and are widened twice.

// ADDONES adds the ones of V0 to V3 to the lanes of V16, of 32 bits.
#define ADDONES \
	VCNT V0.B16, V0.B16            \
	VCNT V1.B16, V1.B16            \
	VCNT V2.B16, V2.B16            \
	VCNT V3.B16, V3.B16            \
	VADD V0.B16, V1.B16, V0.B16    \
	VADD V2.B16, V3.B16, V2.B16    \
	VADD V0.B16, V2.B16, V0.B16    \
	UADDLPB(0, 0)                  \
	UADALPH(0, 16)

// TOTAL adds up the lanes of V16 to R10.
#define TOTAL \
	VUADDLV V16.S4, V0             \
	FMOVD F0, R10

// LOADBOTH loads the 64 bytes at R1 and R2 to V0 to V3 and V4 to V7, and moves on.
#define LOADBOTH \
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16] \
	VLD1.P 64(R2), [V4.B16, V5.B16, V6.B16, V7.B16]

#define COMBINE(OP) \
	OP V4.B16, V0.B16, V0.B16      \
	OP V5.B16, V1.B16, V1.B16      \
	OP V6.B16, V2.B16, V2.B16      \
	OP V7.B16, V3.B16, V3.B16

// VBICS is COMBINE with BIC, which has no name.
#define WITHOUT \
	BICV(4, 0, 0)                   \
	BICV(5, 1, 1)                   \
	BICV(6, 2, 2)                   \
	BICV(7, 3, 3)

#define STOREFOUR \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0)

// WRITE is the body of a kernel that writes a combination and returns its number of ones.
#define WRITE(BOTH) \
	MOVD dst+0(FP), R0             \
	MOVD a+8(FP), R1               \
	MOVD b+16(FP), R2              \
	MOVD $128, R3                  \
	VEOR V16.B16, V16.B16, V16.B16 \
loop:                              \
	LOADBOTH                       \
	BOTH                           \
	STOREFOUR                      \
	ADDONES                        \
	SUBS $1, R3                    \
	BNE  loop                      \
	TOTAL                          \
	MOVD R10, ret+24(FP)           \
	RET

// INTO is the body of a kernel that changes dst and does not count.
#define INTO(BOTH) \
	MOVD dst+0(FP), R1             \
	MOVD a+8(FP), R2               \
	MOVD R1, R0                    \
	MOVD $128, R3                  \
loop:                              \
	LOADBOTH                       \
	BOTH                           \
	STOREFOUR                      \
	SUBS $1, R3                    \
	BNE  loop                      \
	RET

// func bitsetAndNEON(dst, a, b *Words) int
TEXT ·bitsetAndNEON(SB), NOSPLIT, $0-32
	WRITE(COMBINE(VAND))

// func bitsetOrNEON(dst, a, b *Words) int
TEXT ·bitsetOrNEON(SB), NOSPLIT, $0-32
	WRITE(COMBINE(VORR))

// func bitsetAndNotNEON(dst, a, b *Words) int
TEXT ·bitsetAndNotNEON(SB), NOSPLIT, $0-32
	WRITE(WITHOUT)

// func bitsetXorNEON(dst, a, b *Words) int
TEXT ·bitsetXorNEON(SB), NOSPLIT, $0-32
	WRITE(COMBINE(VEOR))

// func orIntoNEON(dst, a *Words)
TEXT ·orIntoNEON(SB), NOSPLIT, $0-16
	INTO(COMBINE(VORR))

// func xorIntoNEON(dst, a *Words)
TEXT ·xorIntoNEON(SB), NOSPLIT, $0-16
	INTO(COMBINE(VEOR))

// func andNotIntoNEON(dst, a *Words)
TEXT ·andNotIntoNEON(SB), NOSPLIT, $0-16
	INTO(WITHOUT)

// func bitsetAndLenNEON(a, b *Words) int
TEXT ·bitsetAndLenNEON(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R1
	MOVD b+8(FP), R2
	MOVD $128, R3
	VEOR V16.B16, V16.B16, V16.B16
loop:
	LOADBOTH
	COMBINE(VAND)
	ADDONES
	SUBS $1, R3
	BNE  loop
	TOTAL
	MOVD R10, ret+16(FP)
	RET

// func onesNEON(words []byte) int
TEXT ·onesNEON(SB), NOSPLIT, $0-32
	MOVD words_base+0(FP), R1
	MOVD words_len+8(FP), R3
	VEOR V16.B16, V16.B16, V16.B16
	SUBS $64, R3
	BLO  few
loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADDONES
	SUBS $64, R3
	BHS  loop
few:
	ADDS $56, R3
	BMI  done
word:
	FMOVD.P 8(R1), F0
	VCNT V0.B8, V0.B8
	VUADDLV V0.B8, V0
	VADD V0.S4, V16.S4, V16.S4
	SUBS $8, R3
	BPL  word
done:
	TOTAL
	MOVD R10, ret+24(FP)
	RET
