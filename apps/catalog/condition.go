// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Condition is what a search wants of an attribute, or what a record has of it. It is one of:
//
//   - a value (Value);
//   - one of some values (In), if there are any;
//   - none of some values (Not), if there are any;
//   - a range with both ends included (From, To), if one of them is given; the other may be open.
type Condition struct {
	Attribute string
	Value     string
	In        []string
	Not       []string
	From, To  string
}

// isExact reports whether the condition is one value.
func (c *Condition) isExact() bool {
	return len(c.In) == 0 && len(c.Not) == 0 && c.From == "" && c.To == ""
}

// ErrCondition is matched when a condition cannot be.
var ErrCondition = errors.New("catalog: condition")

// badCondition says what is wrong with a condition.
func badCondition(c *Condition, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %w", ErrCondition, c.Attribute, fmt.Errorf(format, args...))
}

// check fails for a condition that says two things, or nothing.
func (c *Condition) check() error {
	forms := 0
	for _, is := range [...]bool{c.Value != "", len(c.In) > 0, len(c.Not) > 0, c.From != "" || c.To != ""} {
		if is {
			forms++
		}
	}
	if forms > 1 {
		return badCondition(c, "got %d of value, in, not and a range, want one", forms)
	}
	return nil
}

// conditionJSON is a condition that is not one value.
type conditionJSON struct {
	In   []string `json:"in,omitempty"`
	Not  []string `json:"not,omitempty"`
	From string   `json:"from,omitempty"`
	To   string   `json:"to,omitempty"`
}

// UnmarshalJSON reads a condition without its attribute: a string, or an object with in, not, from
// and to.
func (c *Condition) UnmarshalJSON(text []byte) error {
	c.Value, c.In, c.Not, c.From, c.To = "", nil, nil, "", ""
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.Value)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var o conditionJSON
	if err := d.Decode(&o); err != nil {
		return fmt.Errorf("%w: got %.40s, want a string, or an object with in, not, from or to: %w", ErrCondition, text,
			err)
	}
	c.In, c.Not, c.From, c.To = o.In, o.Not, o.From, o.To
	if c.isExact() {
		return fmt.Errorf("%w: got %.40s, want a string, or an object with in, not, from or to", ErrCondition, text)
	}
	return nil
}

// MarshalJSON writes the condition as UnmarshalJSON reads it.
func (c Condition) MarshalJSON() ([]byte, error) {
	if c.isExact() {
		return json.Marshal(c.Value)
	}
	return json.Marshal(conditionJSON{c.In, c.Not, c.From, c.To})
}
