// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package badgerengine is a thin store on Badger, to be measured beside the engines of the
// database. It has the settings that the database once had with it, and nothing for safety: a full
// disk may end the process, and damage may go unnoticed.
package badgerengine
