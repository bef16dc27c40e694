// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// certificate returns a certificate of 127.0.0.1 that rests on itself, and its key.
func certificate() (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), err
}

// A certificate that is replaced is the one that the next connection gets; half of a pair changes
// nothing.
func TestCertificatesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	f := &secretFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	write := func(file string, text []byte) {
		t.Helper()
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cert, key, err := certificate()
	if err != nil {
		t.Fatal(err)
	}
	write(f.TLSCert, cert)
	if _, _, err := f.load(t.Context(), slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a certificate without its key: got no error")
	}
	write(f.TLSKey, key)
	var pair atomic.Pointer[tls.Certificate]
	loads, failures := atomic.Int64{}, atomic.Int64{}
	load := func() error {
		err := readPair(&pair, f.TLSCert, f.TLSKey)
		if err != nil {
			failures.Add(1)
		}
		loads.Add(1)
		return err
	}
	if err := watch(t.Context(), slog.New(slog.DiscardHandler), time.Millisecond, load, f.TLSCert,
		f.TLSKey); err != nil {
		t.Fatal(err)
	}
	first := pair.Load()
	if cert, key, err = certificate(); err != nil {
		t.Fatal(err)
	}
	write(f.TLSCert, append(cert, '\n')) // of another size, should the clock of the files be coarse
	for failures.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if pair.Load() != first {
		t.Error("half of a pair was taken")
	}
	write(f.TLSKey, key)
	for pair.Load() == first {
		time.Sleep(time.Millisecond)
	}
}

// What fails at first is an error, and nothing is watched.
func TestWatchFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	want := errors.New("no")
	if err := watch(ctx, slog.New(slog.DiscardHandler), time.Millisecond, func() error {
		return want
	}, "nowhere"); err != want {
		t.Errorf("got %v, want %v", err, want)
	}
}
