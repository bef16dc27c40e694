// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import "strings"

// maxName is the most bytes that a graph takes as an account or as a record key. maxDID leaves
// space for the names of lists around a DID.
const (
	maxName = 512
	maxDID  = 450
)

// IsDID reports whether a text can be the DID of an account in a graph.
func IsDID(text string) bool {
	rest, ok := strings.CutPrefix(text, "did:")
	if !ok || len(text) > maxDID {
		return false
	}
	method, id, ok := strings.Cut(rest, ":")
	if !ok || method == "" || id == "" || strings.HasSuffix(id, ":") || strings.HasSuffix(id, "%") {
		return false
	}
	for i := range len(method) {
		if method[i] < 'a' || method[i] > 'z' {
			return false
		}
	}
	return onlyWith(id, "._:%-")
}

// isKey reports whether a text can be the key of a record.
func isKey(text string) bool {
	return text != "" && len(text) <= maxName && text != "." && text != ".." && onlyWith(text, "._:~-")
}

// onlyWith reports whether a text has only letters and digits of ASCII, and some other characters.
func onlyWith(text, others string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

// listPath stands between the DID and the key in the URI of a list.
const listPath = "/app.bsky.graph.list/"

// ownsList reports whether a URI is that of a list of an account.
func ownsList(account, list string) bool {
	rest, ok := strings.CutPrefix(list, "at://"+account+listPath)
	return ok && isKey(rest) && len(list) <= maxName
}

// ItemsOf names the list of all lists that an account has items in, by the keys of the items. By it
// an item is found that is deleted: the deletion does not name the list.
func ItemsOf(account string) string { return "at://" + account + "/app.bsky.graph.listitem" }

// reconcileList names the list of the accounts of a source whose records are to be fetched anew.
func reconcileList(source string) string { return "reconcile " + source }

// heldList names the list of the accounts of a source whose records come anew after a #sync. The
// first of these is at the position of the stream of the same name, or after it.
func heldList(source string) string { return "resync " + source }
