// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Instructions that Go's assembler has no name for, by their encodings (Arm Architecture Reference
// Manual, C7.2). Operands are the numbers of registers, the destination last as
// elsewhere in Go. The text beside each is what LLVM's
// disassembler makes of it: see bench arm64.

// ushl vD.8h, vN.8h, vM.8h: shifts each lane of N by its own distance, to the right where that is
// negative.
#define USHLH(m, n, d) WORD $(0x6E604400 | (m)<<16 | (n)<<5 | (d))
// mul vD.8h, vN.8h, vM.8h.
#define MULH(m, n, d) WORD $(0x4E609C00 | (m)<<16 | (n)<<5 | (d))
// neg vD.8h, vN.8h.
#define NEGH(n, d) WORD $(0x6E60B800 | (n)<<5 | (d))
// cmhs vD.4s, vN.4s, vM.4s: which lanes of N are no less, unsigned.
#define CMHSS(m, n, d) WORD $(0x6EA03C00 | (m)<<16 | (n)<<5 | (d))
// shrn vD.8b, vN.8h, #4: of a mask of bytes, four bits each.
#define SHRN4(n, d) WORD $(0x0F0C8400 | (n)<<5 | (d))
// xtn vD.8b, vN.8h: the lower byte of each lane.
#define XTNB(n, d) WORD $(0x0E212800 | (n)<<5 | (d))
// ucvtf vD.2d, vN.2d: as floating-point numbers.
#define UCVTFV(n, d) WORD $(0x6E61D800 | (n)<<5 | (d))
// fmul vD.2d, vN.2d, vM.2d.
#define FMULV(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
// fcmge vD.2d, vN.2d, vM.2d: which lanes of N are no less.
#define FCMGEV(m, n, d) WORD $(0x6E60E400 | (m)<<16 | (n)<<5 | (d))
// umaxv hD, vN.8h and uminv hD, vN.8h: the largest and the smallest lane.
#define UMAXVH(n, d) WORD $(0x6E70A800 | (n)<<5 | (d))
#define UMINVH(n, d) WORD $(0x6E71A800 | (n)<<5 | (d))
// ldr hD, [xN, xM]: two bytes, alone in a vector.
#define LOADHALF(m, n, d) WORD $(0x7C606800 | (m)<<16 | (n)<<5 | (d))
