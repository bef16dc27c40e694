// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
)

// textBlock is how much text is written at a time.
const textBlock = 256 << 10

// WriteCSV writes the network as text, a follow a line: the key of the account, a comma, and that
// of its target. It returns the SHA-256 of the text in hexadecimal digits, as sha256sum prints it.
// done, if not nil, is told now and then how many follows are written.
func (n *Network) WriteCSV(ctx context.Context, w io.Writer, done func(follows int64)) (sum string, err error) {
	return n.write(ctx, w, n.All(), done)
}

// write is WriteCSV for some follows.
func (n *Network) write(ctx context.Context, w io.Writer, follows iter.Seq2[uint32, uint32],
	done func(follows int64)) (sum string, err error) {
	hash := sha256.New()
	block := make([]byte, 0, textBlock+2*keyLen+2)
	written := int64(0)
	flush := func() error {
		_, _ = hash.Write(block) // which never fails
		_, err := w.Write(block)
		block = block[:0]
		if done != nil {
			done(written)
		}
		if err == nil {
			err = ctx.Err()
		}
		return err
	}
	for account, target := range follows {
		block = n.AppendKey(block, account)
		block = append(block, ',')
		block = n.AppendKey(block, target)
		block = append(block, '\n')
		if written++; len(block) >= textBlock {
			if err := flush(); err != nil {
				return "", err
			}
		}
	}
	if err := flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
