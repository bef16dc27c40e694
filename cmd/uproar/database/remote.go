// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// DefaultAddr is the address of a server that was given no other.
const DefaultAddr = "127.0.0.1:7070"

// RemoteFlags are the flags about how to ask a server that not everybody may ask.
type RemoteFlags struct {
	TokenFile string `placeholder:"FILE" help:"File with the token for the server, and nothing else. Default: UPROAR_TOKEN_FILE."`
	CA        string `name:"ca" placeholder:"FILE" help:"Certificates, in PEM, that the server's rests on. Default: those of the system."`
}

// HTTP returns a client of the server that was named: not of a proxy of the environment, and not
// of another that it passes us on to.
func (f *RemoteFlags) HTTP() (*http.Client, error) {
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

// Prepare adds the token to a request, and returns the client that is to do it.
func (f *RemoteFlags) Prepare(req *http.Request) (*http.Client, error) {
	token, err := f.token()
	if err != nil {
		return nil, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return f.HTTP()
}

// token reads the token; "" if there is none.
func (f *RemoteFlags) token() (string, error) {
	name := cmp.Or(f.TokenFile, os.Getenv(tokenVariable))
	if name == "" {
		return "", nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	words := strings.Fields(string(text))
	if len(words) != 1 {
		return "", fmt.Errorf("--token-file: %s has %d words, want the token and nothing else", name, len(words))
	}
	return words[0], nil
}

// Unauthorized adds what to do to the error of a server that wants a token.
func Unauthorized(code api.Code, err error) error {
	if code == api.CodeUnauthorized {
		return &terminal.AdviceError{Err: err, Try: "--token-file, with a token of the server that may write"}
	}
	return err
}

// ServerURL returns the address of a call of the server that a flag names.
func ServerURL(flag, server, path string) (*url.URL, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" {
		return nil, &terminal.UsageError{Err: terminal.Advise(flag+" http://"+DefaultAddr,
			"%q is not the address of a server", server)}
	}
	return u.JoinPath(path), nil
}

// longestRefusal bounds what is read of an answer that is no backup.
const longestRefusal = 64 << 10

// Refusal returns the error of a server that did not do what it was asked, and its code. The code
// is "" if it is no server of ours.
func Refusal(server string, resp *http.Response) (api.Code, error) {
	if to, err := resp.Location(); err == nil && resp.StatusCode == http.StatusTemporaryRedirect {
		return api.CodeUnavailable, terminal.Advise(to.Scheme+"://"+to.Host,
			"the server at %s has a copy that follows, and passes no writes on", server)
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, longestRefusal))
	var answer api.ErrorReply
	if json.Unmarshal(body, &answer) != nil || answer.Error.Code == "" {
		return "", fmt.Errorf("%s answered %s, and it is no server of Uproar", server, resp.Status)
	}
	return answer.Error.Code, fmt.Errorf("the server at %s refused: %s", server, answer.Error.Message)
}

// Public removes the package that an error's text begins with.
func Public(text string) string {
	for _, prefix := range [...]string{"graph: ", "audience: ", "catalog: ", "query: ", "uproar: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
