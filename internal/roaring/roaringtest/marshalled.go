// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

// Marshalled are the operations of package bitmap that write a set for other packages, or read one
// that they have written. That package has them, and calls them on hostile bytes itself.
var Marshalled = []string{
	"View.MarshalBinary",
	"View.AppendBinary",
	"View.MarshalText",
	"View.String",
	"View.AppendText",
	"View.WriteTo",
	"View.Value",
	"Bitmap.MarshalBinary",
	"Bitmap.AppendBinary",
	"Bitmap.MarshalText",
	"Bitmap.String",
	"Bitmap.AppendText",
	"Bitmap.WriteTo",
	"Bitmap.Value",
	"Bitmap.UnmarshalBinary",
	"Bitmap.UnmarshalText",
	"Bitmap.UnmarshalJSON",
	"Bitmap.Scan",
	"Bitmap.ReadFrom",
}
