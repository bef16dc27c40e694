// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sync"

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

// serveFinder serves a price list in memory. The collector is set as bitmap-usage sets it, unless
// the environment does.
func (s *settings) serveFinder(stdout io.Writer) error {
	f, held, err := newFinder(s.serve, pricelist.Make(s.offerings, s.shuffled, 1))
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(1000)
	}
	x := peer{f}
	app := fiber.New(fiber.Config{DisableStartupMessage: true, JSONEncoder: json.Marshal, JSONDecoder: json.Unmarshal,
		BodyLimit: 16 << 20})
	app.Post(pathOne, x.one)
	app.Post(pathBulk, x.bulk)
	app.Get(pathSizes, func(c *fiber.Ctx) error { return c.JSON(held) })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	return app.Listener(ln)
}

// pathSizes is where a server in memory tells of its sizes.
const pathSizes = "/sizes"

// peer answers from a price list in memory.
type peer struct{ finder }

func (x peer) one(c *fiber.Ctx) error {
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	r.request = request{Chars: r.request.Chars[:0]}
	if err := json.Unmarshal(c.Body(), &r.request); err != nil {
		return fiber.NewError(400, err.Error())
	}
	found, why := x.find(r, &r.request)
	if why != "" {
		return c.Status(404).SendString(why)
	}
	return c.JSON(found)
}

// bulkers is how many goroutines share a bulk request.
const bulkers = 2

func (x peer) bulk(c *fiber.Ctx) error {
	var list []request
	if err := json.Unmarshal(c.Body(), &list); err != nil {
		return fiber.NewError(400, err.Error())
	}
	answers := make([]answer, len(list))
	var all sync.WaitGroup
	for part := range bulkers {
		all.Go(func() {
			var own room
			for i := part * len(list) / bulkers; i < (part+1)*len(list)/bulkers; i++ {
				a := &answers[i]
				a.ID = list[i].ID
				a.Price, a.Error.Message = x.find(&own, &list[i])
			}
		})
	}
	all.Wait()
	return c.JSON(answers)
}
