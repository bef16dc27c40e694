// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"fmt"
	"io"
	"net"

	"github.com/valyala/fasthttp"
)

// ServeConstant answers everything with size bytes, until the process is stopped. Any server of
// this transport can reach that at most on a machine. It prints its address to stdout.
func ServeConstant(stdout io.Writer, size int) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	body := make([]byte, size)
	constant := &fasthttp.Server{NoDefaultServerHeader: true, Handler: func(f *fasthttp.RequestCtx) {
		f.SetContentType("application/json; charset=UTF-8")
		f.Response.SetBodyRaw(body)
	}}
	return constant.Serve(ln)
}
