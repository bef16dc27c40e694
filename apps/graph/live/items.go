// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/apps/graph"
)

// accountItems is what is known of the list items of an account.
type accountItems struct {
	keys   map[string]string // of the next commit: the list of each item; "": it has none
	lists  map[string]bool   // where the account has items, and perhaps where it had
	loaded bool              // lists has those of earlier commits, too
}

// maxItems is of how many accounts the lists are remembered.
const maxItems = 1 << 14

// itemsOf returns what is known of the items of an account.
func (r *rules) itemsOf(account string) *accountItems {
	p := r.items[account]
	if p == nil {
		p = &accountItems{keys: make(map[string]string), lists: make(map[string]bool)}
		r.items[account] = p
	}
	return p
}

// endItems begins the next commit. A sink that finds items is asked again for what was written. Of
// another the lists are remembered: only the follower writes them.
func (r *rules) endItems() {
	if r.finder != nil || len(r.items) > maxItems {
		clear(r.items)
		return
	}
	for _, p := range r.items {
		clear(p.keys)
	}
}

// note remembers where an item is.
func (p *accountItems) note(key, list string) {
	p.keys[key] = list
	if list != "" {
		p.lists[list] = true
	}
}

// writeItem adds the changes for a list item. Its key is unique among the items of all lists of the
// account, so it leaves every other list.
func (r *rules) writeItem(ctx context.Context, e *Event) error {
	before, err := r.listsWith(ctx, e.Account, e.Key)
	if err != nil {
		return err
	}
	for _, list := range before {
		if list != e.List {
			r.change(graph.Change{Op: graph.Clear, Relation: graph.Members, Account: list, Key: e.Key})
		}
	}
	p := r.itemsOf(e.Account)
	p.note(e.Key, e.List)
	if e.Target == "" {
		r.change(graph.Change{Op: graph.Clear, Relation: graph.Members, Account: ItemsOf(e.Account), Key: e.Key})
		return nil
	}
	r.change(graph.Change{Op: graph.Set, Relation: graph.Members, Account: e.List, Target: e.Target, Key: e.Key})
	r.change(graph.Change{Op: graph.Set, Relation: graph.Members, Account: ItemsOf(e.Account), Target: e.List,
		Key: e.Key})
	r.hide(ItemsOf(e.Account))
	return nil
}

// hide keeps a list of the follower's own out of the lists that an account is on.
func (r *rules) hide(list string) {
	if !r.hidden[list] {
		r.hidden[list] = true
		r.change(graph.Change{Op: graph.Hide, Account: list})
	}
}

// listsWith returns the lists in which an account may have an item.
func (r *rules) listsWith(ctx context.Context, account, key string) ([]string, error) {
	if r.finder == nil {
		return r.listsOf(ctx, account)
	}
	list, known := r.itemsOf(account).keys[key]
	if !known {
		var err error
		if list, _, err = r.finder.Find(ctx, graph.Members, ItemsOf(account), key); err != nil {
			return nil, err
		}
	}
	if list == "" {
		return nil, nil
	}
	return []string{list}, nil
}

// listsOf returns all lists in which an account has items, and perhaps some where it had.
func (r *rules) listsOf(ctx context.Context, account string) (lists []string, err error) {
	p := r.itemsOf(account)
	if !p.loaded {
		stored, err := r.sink.Targets(ctx, graph.Members, ItemsOf(account), 0)
		if err != nil {
			return nil, err
		}
		for _, list := range stored {
			p.lists[list] = true
		}
		p.loaded = true
	}
	for list := range p.lists {
		lists = append(lists, list)
	}
	slices.Sort(lists)
	return lists, nil
}
