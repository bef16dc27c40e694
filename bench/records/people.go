// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
)

// fields are those of a person, in the order of their values.
var fields = []api.Field{{Name: "city", Type: "single"}, {Name: "country", Type: "single"},
	{Name: "plan", Type: "single"}, {Name: "likes", Type: "set", Column: "small"}, {Name: "age", Type: "integer"},
	{Name: "height", Type: "decimal", Scale: 2}, {Name: "born", Type: "date"}, {Name: "seen", Type: "time"},
	{Name: "paid", Type: "decimal", Scale: 2}, {Name: "logins", Type: "integer"}}

// likesAt is the place of the one field with several values, which stand behind a | each.
const likesAt = 3

var likes = strings.Fields("tea coffee cake bread rice jazz rock chess go films books sea hills bikes cats dogs")

// person is a record: a key, and a value of each field.
type person struct {
	key    string
	values [10]string
}

// draw returns a person, the same for the same number.
func draw(n int) person {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	p := person{key: fmt.Sprintf("person%07d", n)}
	city := min(rng.IntN(400), rng.IntN(400))
	born := time.Unix(int64(rng.IntN(28_000)-14_000)*86400, 0).UTC()
	liked := make([]string, 0, 4)
	for i := range 1 + rng.IntN(4) {
		liked = append(liked, likes[(i*5+rng.IntN(5))%len(likes)])
	}
	p.values = [10]string{fmt.Sprint("city", city), fmt.Sprint("country", city%8),
		[]string{"free", "free", "basic", "pro"}[rng.IntN(4)], strings.Join(liked, "|"), fmt.Sprint(2026 - born.Year()),
		fmt.Sprintf("1.%02d", 40+rng.IntN(60)), born.Format(time.DateOnly),
		time.Unix(1_760_000_000+int64(rng.IntN(30_000_000)), 0).UTC().Format(time.RFC3339),
		fmt.Sprintf("%d.%02d", rng.IntN(50_000), rng.IntN(100)), fmt.Sprint(rng.IntN(10_000))}
	return p
}

// record returns the person as a write over HTTP has it.
func (p *person) record() (api.Record, error) {
	values := make(map[string]any, len(fields))
	for i, f := range fields {
		switch {
		case i == likesAt:
			values[f.Name] = strings.Split(p.values[i], "|")
		case f.Type == "integer" || f.Type == "decimal":
			values[f.Name] = json.Number(p.values[i])
		default:
			values[f.Name] = p.values[i]
		}
	}
	of, err := api.ValuesOf(values)
	return api.Record{Key: p.key, Values: of}, err
}

// people draws those of a range of numbers.
func people(from, n int) []person {
	list := make([]person, n)
	for i := range list {
		list[i] = draw(from + i)
	}
	return list
}
