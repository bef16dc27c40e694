// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package unflushed

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/query"
)

// question is asked in every state.
type question struct {
	name string
	ask  func(context.Context, *world) error
}

// allQuestions returns the questions of the catalog, of audiences, of the graph, and plain queries.
func allQuestions() (all []question) {
	all = append(all, catalogQuestions()...)
	all = append(all, audienceQuestions()...)
	all = append(all, graphQuestions()...)
	return append(all, plainQuestions()...)
}

func catalogQuestions() []question {
	value := func(attribute, value string) catalog.Condition {
		return catalog.Condition{Attribute: attribute, Value: value}
	}
	search := func(of func(*world) *catalog.Catalog, conditions ...catalog.Condition) func(context.Context,
		*world) error {
		return func(ctx context.Context, w *world) error {
			s, err := of(w).Snapshot()
			if err != nil {
				return err
			}
			defer s.Close()
			var a catalog.Answer
			if err := s.Search(ctx, &a, 10, conditions...); err != nil || a.Kind != catalog.Several {
				return err
			}
			_, err = s.Deciding(ctx, a.IDs, conditions...)
			return err
		}
	}
	facets := func(of func(*world) *catalog.Catalog, conditions ...catalog.Condition) func(context.Context,
		*world) error {
		return func(ctx context.Context, w *world) error {
			s, err := of(w).Snapshot()
			if err != nil {
				return err
			}
			defer s.Close()
			_, _, err = s.Facets(ctx, nil, 10, conditions...)
			return err
		}
	}
	shop, corner := func(w *world) *catalog.Catalog {
		return w.shop
	}, func(w *world) *catalog.Catalog { return w.corner }
	return []question{
		{"catalog of 8: search art=tea, with deciding", search(corner, value("art", "tea"))},
		{"catalog of 8: facets of art=tea", facets(corner, value("art", "tea"))},
		{"catalog: search art, colour, region", search(shop, value("art", "a7"), value("colour", "c2"),
			value("region", "r3"))},
		{"catalog: search art, price range", search(shop, value("art", "a7"),
			catalog.Condition{Attribute: "price", From: "100", To: "500"})},
		{"catalog: facets of colour=c2", facets(shop, value("colour", "c2"))},
		{"catalog: facets of art=a700", facets(shop, value("art", "a700"))},
		{"catalog: sorted by price", func(ctx context.Context, w *world) error {
			s, err := w.shop.Snapshot()
			if err != nil {
				return err
			}
			defer s.Close()
			_, _, err = s.Sorted(ctx, catalog.Order{Attribute: "price"}, 0, 20, value("colour", "c5"))
			return err
		}},
	}
}

// found asks something about the audience of a query.
func found(q string, ask func(context.Context, *audience.Audience) error) func(context.Context, *world) error {
	e, err := query.Parse(q)
	return func(ctx context.Context, w *world) error {
		if err != nil {
			return err
		}
		v, err := w.people.View(ctx)
		if err != nil {
			return err
		}
		defer v.Close()
		a, err := v.Find(ctx, e)
		if err != nil {
			return err
		}
		return ask(ctx, a)
	}
}

func audienceQuestions() []question {
	return []question{
		{"audience: demographics of city, country, age", found("likes = word3",
			func(ctx context.Context, a *audience.Audience) error {
				_, err := a.Demographics(ctx, audience.Aspects{Fields: []string{"city", "country", "age"}, Limit: 10})
				return err
			})},
		{"audience: words", found("country = country2", func(ctx context.Context, a *audience.Audience) error {
			_, err := a.Words(ctx, "likes", audience.WordOptions{Limit: 20})
			return err
		})},
		{"audience: top cities by lift", found("likes = word3 and age < 30",
			func(ctx context.Context, a *audience.Audience) error {
				_, _, err := a.Values(ctx, "city", audience.ValueOptions{By: uproar.ByLift, Limit: 10})
				return err
			})},
		{"audience: cross-tab of country and city", found("likes = word9",
			func(ctx context.Context, a *audience.Audience) error {
				_, err := a.Demographics(ctx, audience.Aspects{Crosses: [][]string{{"country", "city"}}, Limit: 10})
				return err
			})},
		{"audience: sum and median of income", found("country = country2",
			func(ctx context.Context, a *audience.Audience) error {
				_, err := a.Selection().Numbers(ctx, "income", 0.5)
				return err
			})},
		{"audience: saved set and a city", found("saved(young) and city = city5",
			func(context.Context, *audience.Audience) error {
				return nil
			})},
	}
}

func graphQuestions() []question {
	page := uproar.Page{Limit: 100}
	return []question{
		{"graph: count of followers", func(ctx context.Context, w *world) error {
			_, err := w.graph.Followers("n0").Count(ctx)
			return err
		}},
		{"graph: intersection of two large ones", func(ctx context.Context, w *world) error {
			_, err := w.graph.IntersectFollowers("n0", "n1").Count(ctx)
			return err
		}},
		{"graph: intersection of a large and a small one", func(ctx context.Context, w *world) error {
			_, err := w.graph.FollowsFollowing("n100", "n1").Count(ctx)
			return err
		}},
		{"graph: mutuals, a page", func(ctx context.Context, w *world) error {
			_, err := w.graph.Mutuals("n0").Page(ctx, page)
			return err
		}},
		{"graph: suggestions", func(ctx context.Context, w *world) error {
			_, _, err := w.graph.Suggestions(ctx, "n5000", 10)
			return err
		}},
		{"graph: reach", func(ctx context.Context, w *world) error {
			_, err := w.graph.Reach("n9000").Count(ctx)
			return err
		}},
		{"graph: look-up of an account", func(ctx context.Context, w *world) error {
			_, _, err := w.graph.Lookup(ctx, "n77")
			return err
		}},
	}
}

func plainQuestions() (all []question) {
	count := func(q string) {
		e, err := query.Parse(q)
		all = append(all, question{"count: " + q, func(ctx context.Context, w *world) error {
			if err != nil {
				return err
			}
			s := w.people.Index().Snapshot()
			defer s.Close()
			_, err := s.Count(ctx, e)
			return err
		}})
	}
	count("city = city5")
	count("likes = word3 and country = country2")
	count("likes = word3 and city = city150")
	count("city in (city1, city2, city3, city100, city200)")
	count("age between 30 and 40")
	count("income = 777 or income > 190000")
	count("not likes = word3")
	count("any(city) and not country = country1")
	count(`city prefix "city1"`)
	count("at least 2 of (likes = word1, likes = word2, likes = word3)")
	all = append(all, question{"page of 100 keys: likes = word3 and age > 30",
		func(ctx context.Context, w *world) error {
			s := w.people.Index().Snapshot()
			defer s.Close()
			_, err := s.Keys(ctx, query.AllOf(query.Field("likes").Is("word3"), query.Field("age").Greater("30")),
				uproar.Page{Limit: 100})
			return err
		}}, question{"all keys: city = city20", func(ctx context.Context, w *world) error {
		s := w.people.Index().Snapshot()
		defer s.Close()
		_, err := s.Keys(ctx, query.Field("city").Is("city20"), uproar.Page{})
		return err
	}}, question{"has: likes of a record", func(ctx context.Context, w *world) error {
		s := w.people.Index().Snapshot()
		defer s.Close()
		_, err := s.Has("likes", "u500", "word3")
		return err
	}}, question{"value of a record", func(ctx context.Context, w *world) error {
		s := w.people.Index().Snapshot()
		defer s.Close()
		_, _, err := s.Value("city", "u500")
		return err
	}}, question{"groups of city", found("age < 50", func(ctx context.Context, a *audience.Audience) error {
		_, err := a.Selection().Groups(ctx, 1000, "city")
		return err
	})}, question{"top of likes", found("age < 50", func(ctx context.Context, a *audience.Audience) error {
		_, err := a.Selection().Top(ctx, "likes", uproar.TopOptions{Limit: 10})
		return err
	})})
	return all
}
