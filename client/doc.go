// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package client asks an Uproar server over HTTP. It needs the standard library and packages api
// and store of this module, and does not bring the database along.
//
// # Errors
//
// An error that a server answers with is an [*Error], with its status, code, message and place.
// errors.Is finds in it what the embedded database would have returned: uproar.ErrUnknownField,
// uproar.ErrInvalid, uproar.ErrReadOnly, query.ErrSyntax and so on; package client has them under
// the same names, for programs that do not import the database. An unknown account is an unknown
// record. Other errors are those of the connection, and of the context.
//
// # Retries
//
// What only reads is asked again, up to Options.Retries times, when the server has too much to do
// or cannot be reached, after a time that the server says or that doubles. A write is sent again
// only when nothing can have been done: the server was overloaded, the request did not arrive in
// time, or no connection was made. After any other failure of a connection a write may have been
// done or not; it may be repeated by who knows that, because writes of an Uproar database say how
// things are to be.
package client
