// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/uproar-db/uproar/api"
)

// remoteFlags are the flags about how to ask a server that not everybody may ask.
type remoteFlags struct {
	TokenFile string `placeholder:"FILE" help:"With --from or --to: file with the token for the server, and nothing else."`
	CA        string `name:"ca" placeholder:"FILE" help:"Certificates, in PEM, that the server's rests on. Default: those of the system."`
}

// client returns a client of the server that was named: not of a proxy of the environment, and not
// of another that it passes us on to.
func (f *remoteFlags) client() (*http.Client, error) {
	transport := &http.Transport{DisableCompression: true}
	if f.CA != "" {
		text, err := os.ReadFile(f.CA)
		if err != nil {
			return nil, fmt.Errorf("--ca: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("--ca: %s has no certificate in PEM", f.CA)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}, nil
}

// prepare adds the token to a request, and returns the client that is to do it.
func (f *remoteFlags) prepare(req *http.Request) (*http.Client, error) {
	if f.TokenFile == "" {
		return f.client()
	}
	text, err := os.ReadFile(f.TokenFile)
	if err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	words := strings.Fields(string(text))
	if len(words) != 1 {
		return nil, fmt.Errorf("--token-file: %s has %d words, want the token and nothing else", f.TokenFile,
			len(words))
	}
	req.Header.Set("Authorization", "Bearer "+words[0])
	return f.client()
}

// unauthorized adds what to do to the error of a server that wants a token.
func unauthorized(code api.Code, err error) error {
	if code == api.CodeUnauthorized {
		return &adviceError{err, "--token-file, with a token of the server that may write"}
	}
	return err
}
