// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/goccy/go-json"
	"github.com/gofiber/fiber/v2"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// answer is what a search of a bulk is answered with.
type answer struct {
	Price *price  `json:"price,omitempty"`
	Error failure `json:"error"`
	ID    uint16  `json:"id"`
}

type failure struct {
	Message string `json:"message,omitempty"`
}

// room is the memory of searches.
type room struct {
	bitmaps []*roaring.Bitmap
	request request
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// serveRoaring serves the price list from roaring bitmaps in memory. The collector is set as
// bitmap-usage sets it.
func (s *settings) serveRoaring(stdout io.Writer) error {
	x := newIndex(pricelist.Make(s.offerings, s.shuffled, 1))
	debug.FreeOSMemory()
	debug.SetGCPercent(1000)
	app := fiber.New(fiber.Config{DisableStartupMessage: true, JSONEncoder: json.Marshal, JSONDecoder: json.Unmarshal,
		BodyLimit: 16 << 20})
	app.Post(pathOne, func(c *fiber.Ctx) error { return x.one(c) })
	app.Post(pathBulk, func(c *fiber.Ctx) error { return x.bulk(c) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	return app.Listener(ln)
}

func (x *index) one(c *fiber.Ctx) error {
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	r.request = request{Chars: r.request.Chars[:0]}
	if err := json.Unmarshal(c.Body(), &r.request); err != nil {
		return fiber.NewError(400, err.Error())
	}
	found, why, of := x.find(r.bitmaps[:0], &r.request)
	if r.bitmaps = of; why != "" {
		return c.Status(404).SendString(why)
	}
	return c.JSON(found)
}

// bulkers is how many goroutines share a bulk request.
const bulkers = 2

func (x *index) bulk(c *fiber.Ctx) error {
	var list []request
	if err := json.Unmarshal(c.Body(), &list); err != nil {
		return fiber.NewError(400, err.Error())
	}
	answers := make([]answer, len(list))
	var all sync.WaitGroup
	for part := range bulkers {
		all.Go(func() {
			var of []*roaring.Bitmap
			for i := part * len(list) / bulkers; i < (part+1)*len(list)/bulkers; i++ {
				a := &answers[i]
				a.ID = list[i].ID
				a.Price, a.Error.Message, of = x.find(of[:0], &list[i])
			}
		})
	}
	all.Wait()
	return c.JSON(answers)
}
