// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

func Example() {
	ctx, stop := context.WithCancel(context.Background())
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	s, err := server.New(db, nil)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.Serve(ctx, ln) }()

	url := "http://" + ln.Addr().String() + "/v1/graph/"
	show := func(resp *http.Response, err error) {
		if err != nil {
			log.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		fmt.Print(resp.StatusCode, " ", string(body))
	}
	show(http.Post(url+"follow", "application/json", strings.NewReader(`{"account":"alice","target":"bob"}`)))
	show(http.Get(url + "followers?account=bob"))
	show(http.Get(url + "followers?account=zoe"))

	stop() // finishes what is running
	fmt.Println(<-done)
	// Output:
	// 200 {"sequence":1}
	// 200 {"accounts":["alice"]}
	// 404 {"error":{"code":"unknown_account","message":"unknown account \"zoe\""}}
	// <nil>
}
