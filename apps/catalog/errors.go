// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
)

// Errors of catalogs and records.
var (
	// ErrUnknownCatalog is returned for a name that no catalog has.
	ErrUnknownCatalog = errors.New("catalog: unknown catalog")

	// ErrUnknownAttribute is matched when an attribute is named that the schema has not; it comes
	// as an *UnknownAttributeError.
	ErrUnknownAttribute = errors.New("catalog: unknown attribute")

	// ErrUnknownRecord is matched when there is no record of a key.
	ErrUnknownRecord = uproar.ErrUnknownRecord
)

// UnknownAttributeError names an attribute that the schema has not.
type UnknownAttributeError struct {
	Name       string
	Suggestion string // an attribute that it has, and that was probably meant; ""
}

// Error implements error.
func (e *UnknownAttributeError) Error() string {
	if e.Suggestion != "" {
		return fmt.Sprintf("catalog: unknown attribute %q; did you mean %q?", e.Name, e.Suggestion)
	}
	return fmt.Sprintf("catalog: unknown attribute %q", e.Name)
}

// Is reports whether target is ErrUnknownAttribute.
func (e *UnknownAttributeError) Is(target error) bool { return target == ErrUnknownAttribute }

// CheckError is an error about one record of several.
type CheckError struct {
	Key string
	Err error
}

// Error implements error.
func (e *CheckError) Error() string {
	return fmt.Sprintf("catalog: record %q: %s", e.Key, withoutPackage(e.Err))
}

// Unwrap returns what is wrong with the record.
func (e *CheckError) Unwrap() error { return e.Err }

// withoutPackage returns the text of an error that stands within that of another, without the
// package that it comes from.
func withoutPackage(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "catalog: "), "uproar: ")
}
