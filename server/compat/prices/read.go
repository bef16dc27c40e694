// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

// priceRequest is one request of bitmap-usage. Members that it does not know are passed over.
type priceRequest struct {
	ID       uint16      `json:"id"`
	Offering string      `json:"offeringId"`
	Group    string      `json:"groupId"`
	Spec     string      `json:"priceSpecId"`
	Chars    []priceChar `json:"charValues"`
}

// priceChar is a condition on a characteristic.
type priceChar struct {
	Char  string `json:"char"`
	Value string `json:"value"`
}

// priceParser reads requests as clients write them: known members, each once, and texts without
// escapes. What else JSON may be it does not read, and leaves to encoding/json, which takes five
// times as long. So are bodies beyond the bounds, which checkSize tells of. Its texts are parts of
// the body.
type priceParser struct {
	text  string
	at    int
	chars []priceChar // room for those of requests to come
	taken int         // characteristics of all requests
}

// space passes over white space, and reports whether a byte follows.
func (p *priceParser) space(want byte) bool {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return c == want
		}
	}
	return false
}

// take is space, and passes over the byte.
func (p *priceParser) take(want byte) bool {
	if !p.space(want) {
		return false
	}
	p.at++
	return true
}

// string reads a text without escapes; bytes that are not ASCII are left to encoding/json, which
// looks at them.
func (p *priceParser) string() (s string, ok bool) {
	if !p.take('"') {
		return "", false
	}
	start := p.at
	for p.at < len(p.text) && isPlain[p.text[p.at]] {
		p.at++
	}
	if p.at == len(p.text) || p.text[p.at] != '"' {
		return "", false
	}
	s = p.text[start:p.at]
	p.at++
	return s, true
}

// isPlain says which bytes stand for themselves in a text: those of ASCII but quotation marks,
// backslashes and control characters.
var isPlain = func() (plain [256]bool) {
	for c := byte(' '); c < 0x80; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// id reads a number from 0 to 65535.
func (p *priceParser) id() (id uint16, ok bool) {
	p.space(0)
	n, start := 0, p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' && p.at-start < 5 {
		n = 10*n + int(p.text[p.at]-'0')
		p.at++
	}
	if p.at == start || n > 1<<16-1 || p.text[start] == '0' && p.at > start+1 || !p.space(',') && !p.space('}') {
		return 0, false
	}
	return uint16(n), true
}

// request reads a request. If it cannot, it has stopped somewhere.
func (p *priceParser) request(q *priceRequest) bool {
	return p.object(func(name string) (member int, ok bool) {
		switch name {
		case "offeringId":
			q.Offering, ok = p.string()
			return 0, ok
		case "groupId":
			q.Group, ok = p.string()
			return 1, ok
		case "priceSpecId":
			q.Spec, ok = p.string()
			return 2, ok
		case "id":
			q.ID, ok = p.id()
			return 3, ok
		case "charValues":
			q.Chars, ok = p.values()
			return 4, ok
		}
		return 0, false
	})
}

// object reads an object of known members. Each may come once.
func (p *priceParser) object(read func(name string) (member int, ok bool)) bool {
	if !p.take('{') {
		return false
	}
	for seen := 0; ; {
		name, ok := p.string()
		if !ok || !p.take(':') {
			return false
		}
		member, ok := read(name)
		if !ok || seen&(1<<member) != 0 {
			return false
		}
		seen |= 1 << member
		if p.take('}') {
			return true
		}
		if !p.take(',') {
			return false
		}
	}
}

// values reads the array of characteristics.
func (p *priceParser) values() (list []priceChar, ok bool) {
	if !p.take('[') {
		return nil, false
	}
	if p.take(']') {
		return nil, true
	}
	start := len(p.chars)
	for {
		var c priceChar
		if !p.object(func(name string) (member int, ok bool) {
			switch name {
			case "char":
				c.Char, ok = p.string()
				return 0, ok
			case "value":
				c.Value, ok = p.string()
				return 1, ok
			}
			return 0, false
		}) {
			return nil, false
		}
		p.chars = append(p.chars, c)
		if p.taken++; p.taken > allChars || len(p.chars)-start > maxChars {
			return nil, false
		}
		if p.take(']') {
			return p.chars[start:len(p.chars):len(p.chars)], true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}
