// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/server"
)

// secretFlags are the flags about who may ask a server.
type secretFlags struct {
	Tokens         string `placeholder:"FILE" help:"File of tokens, one a line: read or write, a name, and the token. Only who sends one is answered. Read again when it changes."`
	TLSCert        string `name:"tls-cert" placeholder:"FILE" help:"Certificate for TLS, with those that it rests on, in PEM; with --tls-key. Both are read again when they change."`
	TLSKey         string `name:"tls-key" placeholder:"FILE" help:"Key of the certificate, in PEM."`
	InsecureListen bool   `help:"Allow an --addr that other machines can reach without --tokens and TLS: all who reach it may read and write everything, and read along."`
}

// callerFlags are the flags about pages in browsers.
type callerFlags struct {
	Host []string `sep:"none" placeholder:"NAME" help:"Name that a server without --tokens answers to, beside IP addresses and localhost; *.example.com: all below. May be repeated."`
	CORS []string `name:"cors" sep:"none" placeholder:"ORIGIN" help:"Site whose pages may ask, such as https://app.example.com; *: all, with --tokens or --read-only. May be repeated."`
}

// check fails for flags that do not go together.
func (f *secretFlags) check() error {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key go together: got one of them")
	}
	return nil
}

// exposed says what would be missing on an address that other machines can reach; "" if nothing is.
func (f *secretFlags) exposed() string {
	switch {
	case f.Tokens == "" && f.TLSCert == "":
		return "neither tokens nor encryption"
	case f.Tokens == "":
		return "no tokens"
	case f.TLSCert == "":
		return "no encryption, without which its tokens could be read"
	}
	return ""
}

// scheme returns the scheme of the server's URL.
func (f *secretFlags) scheme() string {
	if f.TLSCert != "" {
		return "https"
	}
	return "http"
}

// load reads the files, and watches them until ctx is done. Either may be nil, when there is no
// flag for it.
func (f *secretFlags) load(ctx context.Context, log *slog.Logger) (tokens *server.Tokens, config *tls.Config,
	err error) {
	if f.Tokens != "" {
		tokens = new(server.Tokens)
		if err := watch(ctx, log, watchEvery, func() error {
			return readTokens(tokens, f.Tokens)
		}, f.Tokens); err != nil {
			return nil, nil, err
		}
	}
	if f.TLSCert != "" {
		var pair atomic.Pointer[tls.Certificate]
		if err := watch(ctx, log, watchEvery, func() error {
			return readPair(&pair, f.TLSCert, f.TLSKey)
		}, f.TLSCert, f.TLSKey); err != nil {
			return nil, nil, err
		}
		config = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate,
			error) {
			return pair.Load(), nil
		}}
	}
	return tokens, config, nil
}

func readTokens(tokens *server.Tokens, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--tokens: %w", err)
	}
	if err := tokens.Read(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("--tokens: %s: %w", file, err)
	}
	return nil
}

func readPair(into *atomic.Pointer[tls.Certificate], cert, key string) error {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	into.Store(&pair)
	return nil
}

// watchEvery is how often files are looked at: often enough for whoever has just changed one, and
// seldom enough to cost nothing.
const watchEvery = 2 * time.Second

// watch calls load, and again whenever one of the files has changed, until ctx is done. When that
// fails, what was loaded before stays, and load is tried again.
func watch(ctx context.Context, log *slog.Logger, every time.Duration, load func() error, files ...string) error {
	loaded := stamps(files)
	if err := load(); err != nil {
		return err
	}
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		complained := ""
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			now := stamps(files)
			if now == loaded {
				continue
			}
			switch err := load(); {
			case err == nil:
				loaded, complained = now, ""
				log.Info("files were read again", "files", files)
			case err.Error() != complained:
				complained = err.Error()
				log.Error("files have changed, and what they had before still holds", "error", err)
			}
		}
	}()
	return nil
}

// stamps returns a text that is another when one of the files is.
func stamps(files []string) (text string) {
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			text += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), "\n")
		} else {
			text += "none\n"
		}
	}
	return text
}
