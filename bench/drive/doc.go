// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package drive asks servers over HTTP without a pause, and tells what that takes of their
// processes.
package drive
