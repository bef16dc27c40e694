// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

// Marshalled lists the operations of package bitmap that exchange sets with other packages. They
// write a set or read one back. Package bitmap has them, and calls them on hostile bytes itself.
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
