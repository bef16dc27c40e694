// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

// Asked is questions of one sort, as they are asked over HTTP.
type Asked struct {
	Name      string
	Addresses []string // paths and parameters, as GraphD has them
}

// Asked returns what is measured of a network, in the order of the tables. Programs ask other
// servers the same.
func (n *Network) Asked() []Asked {
	lines := n.chooser(1).lines()
	all := make([]Asked, len(lines))
	for i, l := range lines {
		all[i].Name = l.name
		for _, q := range l.questions {
			all[i].Addresses = append(all[i].Addresses, q.address(n))
		}
	}
	return all
}
