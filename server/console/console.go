// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package console has the pages that a browser shows at the address of a server. They are static
// files below static, embedded as they are: ES modules without a build step. All that they show
// comes from the calls of docs/http.md, with the caller's token. So the files need none, and know
// nothing of a database.
package console

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"

	"github.com/uproar-db/uproar/server/call"
)

//go:embed static
var embedded embed.FS

// prefix stands before the path of every file but the page itself, which is "/".
const prefix = "/console/"

// Policy is the Content-Security-Policy of every file: scripts, styles and requests are of this
// server alone, none stands in the page, and no other page may show it.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// contentTypes are those of the files, by the ends of their names. Others are not served.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8", // licences of what is vendored
}

// elsewhere are paths at which the page is looked for. They lead to "/", where it is.
var elsewhere = []string{"/console", prefix, prefix + "index.html"}

// Has reports whether a path is one of the console.
func Has(path string) bool { return path == "/" || strings.HasPrefix(path+"/", prefix) }

// Endpoints returns one endpoint for each file. Browsers keep a file, and ask each time whether it
// is still the same.
func Endpoints() []call.Endpoint {
	var list []call.Endpoint
	err := fs.WalkDir(embedded, "static", func(name string, d fs.DirEntry, err error) error {
		contentType := contentTypes[path.Ext(name)]
		if err != nil || d.IsDir() || contentType == "" {
			return err
		}
		body, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		at := prefix + strings.TrimPrefix(name, "static/")
		if at == prefix+"index.html" {
			at = "/"
		}
		list = append(list, call.Get(at, "console", file(contentType, body)))
		return nil
	})
	if err != nil {
		panic("console: " + err.Error()) // the files are part of the program
	}
	for _, path := range elsewhere {
		list = append(list, call.Get(path, "console", toPage))
	}
	return list
}

// toPage answers where the page is. A browser keeps what the address has behind "#".
func toPage(context.Context, call.Request) (call.Reply, error) {
	return call.Text{ContentType: call.ContentJSON, Body: []byte("{}\n"), Status: 308,
		Fields: [][2]string{{"Location", "/"}, {"Cache-Control", "no-cache"}}}, nil
}

// file returns what answers with a file, or that the caller has it. What links add after a question
// mark, to know where visitors come from, changes nothing.
func file(contentType string, body []byte) call.Handler {
	sum := sha256.Sum256(body)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"` // weak: the same for each coding
	fields := [][2]string{
		{"Content-Security-Policy", Policy}, {"Referrer-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"}, {"Cache-Control", "no-cache"}, {"ETag", tag},
	}
	return func(_ context.Context, c call.Request) (call.Reply, error) {
		reply := call.Text{ContentType: contentType, Body: body, Fields: fields}
		if c.Transport != nil && matches(c.Transport.Header("If-None-Match"), tag) {
			reply.Body, reply.Status = nil, 304
		}
		return reply, nil
	}
}

// matches reports whether a field If-None-Match has a tag (RFC 9110, 13.1.2).
func matches(field, tag string) bool {
	for one := range strings.SplitSeq(field, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
