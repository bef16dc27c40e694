// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestReadPrices reads long arrays in parts, and compares them with what encoding/json reads: with
// space between requests, texts that look like the border of two of them, and what is no array any
// more.
func TestReadPrices(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	r := rand.New(rand.NewPCG(8, 8))
	texts := []string{"Term", "VPN", "},{", "}],[{", "]},{", "{", "a b", ""}
	text := func() string { return texts[r.IntN(len(texts))] }
	request := func() string {
		var chars []string
		for range r.IntN(6) {
			chars = append(chars, fmt.Sprintf(`{"char":"%s", "value":"%s"}`, text(), text()))
		}
		members := []string{fmt.Sprintf(`"id":%d`, r.IntN(65536)), fmt.Sprintf(`"offeringId":"%s"`, text()),
			fmt.Sprintf(`"charValues":[%s]`, strings.Join(chars, ",")), fmt.Sprintf(`"groupId":"%s"`, text())}
		r.Shuffle(len(members), func(i, k int) { members[i], members[k] = members[k], members[i] })
		return "{" + strings.Join(members, ",") + "}"
	}
	for _, between := range []string{",", ", ", "\n,\n\t"} {
		var list []string
		for size := 0; size < 5*partBytes; size += len(list[len(list)-1]) {
			list = append(list, request())
		}
		for name, body := range map[string]string{
			"whole":    "[" + strings.Join(list, between) + "]",
			"and more": "[" + strings.Join(list, between) + "] []",
			"cut off":  "[" + strings.Join(list, between),
			"ended in the middle": "[" + strings.Join(list[:len(list)/3], between) + "]" +
				strings.Join(list[len(list)/3:], between) + "]",
			"broken in the middle": "[" + strings.Join(list[:len(list)/2], between) + between + between +
				strings.Join(list[len(list)/2:], between) + "]",
			"escapes in the middle": "[" + strings.Join(list[:len(list)/2], between) + between +
				`{"groupId":"\\"},{"},` + strings.Join(list[len(list)/2:], between) + "]",
			"one long text": `[{"offeringId":"` + strings.Repeat("},{", 2*partBytes/3) + `"}]`,
		} {
			var want []priceRequest
			err := json.NewDecoder(strings.NewReader(body)).Decode(&want)
			got, ok := readPrices(body)
			if wantOK := name == "whole" || name == "and more" || name == "one long text"; ok != wantOK &&
				name != "ended in the middle" {
				t.Fatalf("%q between, %s: got %v, want %v", between, name, ok, wantOK)
			}
			if ok && (err != nil || !reflect.DeepEqual(without(got), without(want))) {
				t.Fatalf("%q between, %s: got %d requests, want %d, %v", between, name, len(got), len(want), err)
			}
		}
	}
}

// TestReadPricesBound reads arrays with as many characteristics as all requests may have, and with
// one more: the bound is that of the whole, however many parts read it.
func TestReadPricesBound(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	chars := func(n int) string {
		return `{"charValues":[` + strings.TrimSuffix(strings.Repeat(`{"char":"a"},`, n), ",") + `]}`
	}
	const each = 16 // so few that parts find where they may begin
	full := strings.TrimSuffix(strings.Repeat(chars(each)+",", allChars/each), ",")
	if got, ok := readPrices("[" + full + "]"); !ok || len(got) != allChars/each {
		t.Errorf("%d characteristics: got %d requests, %v; want them read", allChars, len(got), ok)
	}
	body := "[" + full + "," + chars(1) + "]"
	if _, ok := readPrices(body); ok || checkSize([]byte(body), 1) != errManyChars {
		t.Errorf("%d characteristics: got them read: %v, and %v, want %v", allChars+1, ok, checkSize([]byte(body), 1),
			errManyChars)
	}
}

// without returns requests without empty lists, which may be nil or not.
func without(list []priceRequest) []priceRequest {
	for i := range list {
		if len(list[i].Chars) == 0 {
			list[i].Chars = nil
		}
	}
	return list
}
