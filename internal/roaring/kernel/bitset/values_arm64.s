// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

DATA firstPlaces<>+0(SB)/8, $0x0003000200010000
DATA firstPlaces<>+8(SB)/8, $0x0007000600050004
GLOBL firstPlaces<>(SB), RODATA|NOPTR, $16

// func wordsValuesNEON(dst []uint64, words []byte, base uint64) (n, read int)
//
// Values of 64 bits are written two at a time, which no vector does faster than two registers. Only
// words with many ones go by the table of places_arm64.s, because a byte of it takes the time of
// five ones. The ones of other words are found from the highest bit of the word turned around, so
// that only what takes them away is one after the other. Eight are written at a time, even if there
// are fewer.
//
// R0 is the place in dst, R11 the last one with room for a word, R1 the next word, R12 the end of
// the words, R7 the value of the word's first bit, which V31 has, too. V16 to V23 have the numbers
// 0 to 63.
TEXT ·wordsValuesNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD dst_len+8(FP), R11
	MOVD words_base+24(FP), R1
	MOVD words_len+32(FP), R12
	MOVD base+48(FP), R7
	ADD  R11<<3, R0, R11
	SUB  $512, R11
	AND  $~7, R12
	ADD  R1, R12
	MOVD $·zerosBefore(SB), R13
	MOVD $0x0101010101010101, R14
	MOVD $(1<<63), R15
	MOVD $firstPlaces<>(SB), R2
	FMOVQ (R2), F16
	VMOVI $8, V0.B16
	VUSHR $8, V0.H8, V0.H8
	VADD V0.H8, V16.H8, V17.H8
	VADD V0.H8, V17.H8, V18.H8
	VADD V0.H8, V18.H8, V19.H8
	VADD V0.H8, V19.H8, V20.H8
	VADD V0.H8, V20.H8, V21.H8
	VADD V0.H8, V21.H8, V22.H8
	VADD V0.H8, V22.H8, V23.H8
	B    next

// TWO writes two values at AT bytes, and takes their bits away.
#define TWO(AT) \
	CLZ  R4, R2                    \
	LSR  R2, R15, R3               \
	BIC  R3, R4                    \
	ADD  R7, R2                    \
	CLZ  R4, R5                    \
	LSR  R5, R15, R3               \
	BIC  R3, R4                    \
	ADD  R7, R5                    \
	STP  (R2, R5), AT(R9)

word:
	MOVD.P 8(R1), R4
	FMOVD R4, F0
	VCNT V0.B8, V0.B8
	FMOVD F0, R5
	MUL  R14, R5, R5         // byte k: the ones of bytes 0 to k
	LSR  $56, R5, R6
	ADD  R6<<3, R0, R8       // behind the values of the word
	CMP  $24, R6
	BHI  many
	CBZ  R4, skip
	RBIT R4, R4
	MOVD R0, R9
eight:
	TWO(0)
	TWO(16)
	TWO(32)
	TWO(48)
	ADD  $64, R9
	CMP  R8, R9
	BLO  eight
	MOVD R8, R0
skip:
	ADD  $64, R7
next:
	CMP  R12, R1
	BHS  done
	CMP  R11, R0
	BLE  word
done:
	MOVD dst_base+0(FP), R3
	SUB  R3, R0
	LSR  $3, R0
	MOVD R0, n+56(FP)
	MOVD words_base+24(FP), R3
	SUB  R3, R1
	MOVD R1, read+64(FP)
	RET

// BYTE writes the values of the ones of byte K. FROM has the places they would have if all before
// them were ones.
#define BYTE(K, FROM) \
	UBFX $(8*K), R4, $8, R2        \
	UBFX $(8*K), R6, $8, R3        \
	LOADENTRY(2, 13, 4)            \
	ADD  R3<<3, R0, R3             \
	VADD FROM.H8, V4.H8, V4.H8     \
	VUXTL V4.H4, V5.S4             \
	VUXTL2 V4.H8, V6.S4            \
	VUADDW V5.S2, V31.D2, V7.D2    \
	VUADDW2 V5.S4, V31.D2, V8.D2   \
	VUADDW V6.S2, V31.D2, V9.D2    \
	VUADDW2 V6.S4, V31.D2, V10.D2  \
	FSTPQ (F7, F8), (R3)           \
	FSTPQ (F9, F10), 32(R3)

many:
	LSL  $8, R5, R6          // byte k: the ones before byte k
	VDUP R7, V31.D2
	BYTE(0, V16)
	BYTE(1, V17)
	BYTE(2, V18)
	BYTE(3, V19)
	BYTE(4, V20)
	BYTE(5, V21)
	BYTE(6, V22)
	BYTE(7, V23)
	MOVD R8, R0
	B    skip
