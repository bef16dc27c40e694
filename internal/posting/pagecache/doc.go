// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pagecache keeps pages in bounded memory, for all indexes of a database. It gathers that
// memory in huge pages of the system. It names a page by the numbers of its index and generation.
package pagecache
