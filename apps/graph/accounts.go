// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"
	"iter"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// ErrNoAccounts is returned when the intersection of no lists is asked for.
var ErrNoAccounts = errors.New("graph: intersection of no accounts, want at least one")

// Accounts is a set of accounts that has been asked for and not yet computed:
// nothing is read before one of its methods is called, and each call reads one
// snapshot of its own. The errors of all methods are *InvalidAccountError and
// *UnknownAccountError, which name the first such account in the question or
// given to the method, ErrNoAccounts, ctx's, and the database's. A value, safe for concurrent use.
type Accounts struct {
	graph *Graph
	of    query.Expr       // nil: all
	all   [2]query.Related // what at most two lists have in common, for which no query is made unless it is needed
	lists int              // of all
	named []string         // by of: accounts that must exist
	err   error            // what is wrong with the question itself
}

// Followers asks who follows an account.
func (g *Graph) Followers(account string) Accounts {
	return g.common(related(FollowersField, account))
}

// Following asks whom an account follows.
func (g *Graph) Following(account string) Accounts {
	return g.common(related(FollowsField, account))
}

// Mutuals asks who follows an account and is followed by it.
func (g *Graph) Mutuals(account string) Accounts {
	return g.common(related(FollowsField, account), related(FollowersField, account))
}

// FollowsFollowing returns the accounts that account follows and that follow target.
func (g *Graph) FollowsFollowing(account, target string) Accounts {
	return g.common(related(FollowsField, account), related(FollowersField, target))
}

// IntersectFollowers asks who follows every one of some accounts. Of one account
// they are its followers, of none ErrNoAccounts.
func (g *Graph) IntersectFollowers(accounts ...string) Accounts {
	return g.intersect(FollowersField, accounts)
}

// IntersectFollowing asks who is followed by every one of some accounts. Of one
// account they are its following, of none ErrNoAccounts.
func (g *Graph) IntersectFollowing(accounts ...string) Accounts {
	return g.intersect(FollowsField, accounts)
}

func (g *Graph) intersect(field string, accounts []string) Accounts {
	switch len(accounts) {
	case 0:
		return Accounts{err: ErrNoAccounts}
	case 1:
		return g.common(related(field, accounts[0]))
	case 2:
		return g.common(related(field, accounts[0]), related(field, accounts[1]))
	}
	of := make([]query.Expr, len(accounts))
	for i, account := range accounts {
		of[i] = related(field, account)
	}
	return g.ask(query.And{Of: of}, accounts...)
}

// Ask asks any query of the index of accounts. It is an error if one of the named accounts does not
// exist. Others that the query names may be unknown: they have no followers and follow nobody.
func (g *Graph) Ask(of query.Expr, named ...string) Accounts { return g.ask(of, named...) }

// ask returns a set whose question names some accounts. That they exist is found
// out when the question is asked.
func (g *Graph) ask(of query.Expr, named ...string) Accounts {
	for _, account := range named {
		if err := CheckAccount(account); err != nil {
			return Accounts{err: err}
		}
	}
	return Accounts{graph: g, of: of, named: named}
}

// common returns what one or two lists have in common.
func (g *Graph) common(of ...query.Related) Accounts {
	a := Accounts{graph: g, lists: len(of)}
	for i, r := range of {
		if err := CheckAccount(r.Key); err != nil {
			return Accounts{err: err}
		}
		a.all[i] = r
	}
	return a
}

func related(field, account string) query.Related {
	return query.Related{Field: field, Key: account}
}

// String returns the question in the query language; of a question that is wrong, its error.
func (a Accounts) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return a.query().String()
}

// exist returns an *UnknownAccountError if an account that the question names does not exist.
func (a *Accounts) exist(ctx context.Context, s uproar.Snapshot) error {
	return unknown(s.Exist(ctx, a.names()...))
}

// names returns the accounts that must exist.
func (a *Accounts) names() []string {
	if a.of != nil {
		return a.named
	}
	var names []string
	for _, r := range a.all[:a.lists] {
		names = append(names, r.Key)
	}
	return names
}

// query returns the question.
func (a *Accounts) query() query.Expr {
	switch {
	case a.of != nil:
		return a.of
	case a.lists == 1:
		return a.all[0]
	default:
		return query.And{Of: []query.Expr{a.all[0], a.all[1]}}
	}
}

// Count returns how many accounts there are in the set. None is listed: only
// cardinalities are computed.
func (a Accounts) Count(ctx context.Context) (uint64, error) {
	if a.err != nil {
		return 0, a.err
	}
	s := a.graph.index.Snapshot()
	defer s.Close()
	if a.of == nil {
		n, err := s.CountAnd(ctx, a.all[:a.lists]...)
		return n, unknown(err)
	}
	if err := a.exist(ctx, s); err != nil {
		return 0, err
	}
	return s.Count(ctx, a.of)
}

// Page returns some accounts of the set, in ascending order of record ID, that is of first
// appearance. The Next of a page with More is the From of the one after it. IDs are never reused:
// an account that stays in the set is seen exactly once, whatever is written between pages.
func (a Accounts) Page(ctx context.Context, p uproar.Page) (uproar.Keys, error) {
	if a.err != nil {
		return uproar.Keys{}, a.err
	}
	s := a.graph.index.Snapshot()
	defer s.Close()
	if err := a.exist(ctx, s); err != nil {
		return uproar.Keys{}, err
	}
	return s.Keys(ctx, a.query(), p)
}

// AppendPage is Page that appends the keys to dst in some form: see uproar.Snapshot.AppendKeys.
// next is the From of the page after it, if there is one; 0 else, which is no page's but the first.
func (a Accounts) AppendPage(ctx context.Context, dst []byte, p uproar.Page, form uproar.KeyForm) (out []byte,
	next uint64, err error) {
	if a.err != nil {
		return dst, 0, a.err
	}
	s := a.graph.index.Snapshot()
	defer s.Close()
	if a.of == nil && p.From == 0 {
		dst, next, _, err = s.AppendKeysAnd(ctx, dst, p.Limit, form, a.all[:a.lists]...)
	} else if err = a.exist(ctx, s); err == nil {
		dst, next, _, err = s.AppendKeys(ctx, dst, a.query(), p, form)
	}
	return dst, next, unknown(err)
}

// Contains reports whether an account is in the set, without listing it. It is
// an error if that account does not exist.
func (a Accounts) Contains(ctx context.Context, account string) (bool, error) {
	if a.err != nil {
		return false, a.err
	}
	s := a.graph.index.Snapshot()
	defer s.Close()
	if err := a.exist(ctx, s); err != nil {
		return false, err
	}
	ok, err := s.Contains(ctx, a.query(), account)
	return ok, unknown(err)
}

// allPage is how many accounts All fetches at a time.
const allPage = 1024

// All yields every account of the set, of one snapshot, in the order of Page.
// After an error it yields nothing more. It holds a thousand keys at a time,
// however large the set is.
func (a Accounts) All(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if a.err != nil {
			yield("", a.err)
			return
		}
		s := a.graph.index.Snapshot()
		defer s.Close()
		if err := a.exist(ctx, s); err != nil {
			yield("", err)
			return
		}
		for p := (uproar.Page{Limit: allPage}); ; {
			keys, err := s.Keys(ctx, a.query(), p)
			if err != nil {
				yield("", err)
				return
			}
			for _, key := range keys.Keys {
				if !yield(key, nil) {
					return
				}
			}
			if !keys.More {
				return
			}
			p.From = keys.Next
		}
	}
}
