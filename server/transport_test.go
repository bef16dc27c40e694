// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/uproar-db/uproar/server"
)

// BenchmarkTransport asks the same calls over the two transports that a Server has: Serve, by loops
// before fasthttp where there are any (on Linux, without TLS) and else by fasthttp, and as a
// handler of net/http; with and without TLS, on 20 connections of a client in the same process,
// whose time is in each line alike. docs/dependencies.md has the figures.
func BenchmarkTransport(b *testing.B) {
	certified := httptest.NewTLSServer(nil)
	config := &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
	certified.Close()
	for _, security := range []string{"plain", "tls"} {
		opts := new(server.Options)
		if security == "tls" {
			opts.TLS = config
		}
		s := newSite(b, opts)
		s.follow(seed)
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		other := &http.Server{Handler: s.server, TLSConfig: opts.TLS, ReadHeaderTimeout: time.Minute}
		if opts.TLS != nil {
			ln = tls.NewListener(ln, config)
		}
		go func() { _ = other.Serve(ln) }()
		b.Cleanup(func() { _ = other.Close() })
		for name, addr := range map[string]string{"serve": s.url[len("http://"):], "net-http": ln.Addr().String()} {
			if opts.TLS != nil && name == "serve" {
				addr = s.url[len("https://"):]
			}
			client := &fasthttp.HostClient{Addr: addr, MaxConns: 64, IsTLS: opts.TLS != nil,
				TLSConfig: &tls.Config{InsecureSkipVerify: true}}
			for _, path := range []string{"/v1/graph/follows?account=alice&target=bob",
				"/v1/graph/followers?account=bob"} {
				call := "follows"
				if path[len("/v1/graph/follow")] == 'e' {
					call = "followers"
				}
				b.Run("security="+security+"/call="+call+"/transport="+name, func(b *testing.B) {
					b.SetParallelism(10)
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							if status, err := ask(client, path, ""); status != 200 || err != nil {
								b.Errorf("got %d, %v", status, err)
								return
							}
						}
					})
				})
			}
			client.CloseIdleConnections()
		}
	}
}
