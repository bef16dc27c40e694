// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
)

// the other.
func TestSaved(t *testing.T) {
	as, db, _ := newPeople(t, uproar.NoColumn)
	saved := func() (list []string) {
		all, err := view(t, as).Saved(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			list = append(list, fmt.Sprintf("%s %v %d %s", s.Name, s.Follows, s.Records, s.Query))
		}
		return list
	}
	want := func(want ...string) {
		t.Helper()
		if got := saved(); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	want()
	must := func(n uint64, err error) uint64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	young := mustParse(t, "age < 5")
	n := must(as.Freeze(t.Context(), "were young", young))
	if m := must(as.Follow(t.Context(), "young", young)); m != n || n == 0 {
		t.Fatalf("got %d and %d, want the same", n, m)
	}
	must(as.Follow(t.Context(), "young women", mustParse(t, "saved(young) and sex = f")))
	women := find(t, view(t, as), "age < 5 and sex = f").Size().Records
	want(fmt.Sprintf("were young false %d ", n), fmt.Sprintf("young true %d age < 5", n),
		fmt.Sprintf(`young women true %d saved(young) and sex = f`, women))

	var b uproar.Batch
	b.Set("age", "new", "1")
	b.Set("sex", "new", "f")
	if _, err := as.Index().Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	want(fmt.Sprintf("were young false %d ", n), fmt.Sprintf("young true %d age < 5", n+1),
		fmt.Sprintf(`young women true %d saved(young) and sex = f`, women+1))
	if got := find(t, view(t, as), "saved(young) and not saved(\"were young\")").Size().Records; got != 1 {
		t.Errorf("got %d new ones, want 1", got)
	}

	// Nothing needs itself, directly or by others; what was saved stays.
	for _, text := range []string{"saved(young)", "age < 9 or saved(\"young women\")"} {
		if _, err := as.Follow(t.Context(), "young", mustParse(t, text)); !errors.Is(err, audience.ErrRecursive) {
			t.Errorf("%s: got %v, want ErrRecursive", text, err)
		}
	}
	if _, err := as.Follow(t.Context(), "x", mustParse(t, "saved(missing)")); !errors.Is(err, uproar.ErrUnknownSet) {
		t.Errorf("got %v, want ErrUnknownSet", err)
	}
	// A frozen one may be made of its own name, and takes the place of one that followed.
	must(as.Freeze(t.Context(), "young", mustParse(t, "saved(young) or age = 70")))
	more := find(t, view(t, as), "age < 5 or age = 70").Size().Records
	if got := find(t, view(t, as), "saved(young)").Size().Records; got != more {
		t.Errorf("got %d, want %d", got, more)
	}
	must(as.Follow(t.Context(), "were young", mustParse(t, "age < 5")))
	want(fmt.Sprintf("were young true %d age < 5", n+1), fmt.Sprintf("young false %d ", more),
		fmt.Sprintf(`young women true %d saved(young) and sex = f`, women+1+find(t, view(t, as),
			"age = 70 and sex = f").Size().Records))

	for _, name := range []string{"young women", "young", "were young"} {
		if err := as.Forget(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	want()
	if err := as.Forget(t.Context(), "young"); !errors.Is(err, uproar.ErrUnknownSet) {
		t.Errorf("got %v, want ErrUnknownSet", err)
	}

	// Queries of other indexes are theirs.
	if _, err := db.CreateIndex(t.Context(), "others", uproar.Field{Name: "age", Type: uproar.Integer}); err != nil {
		t.Fatal(err)
	}
	others, err := audience.Of(db, "others")
	if err != nil {
		t.Fatal(err)
	}
	must(others.Follow(t.Context(), "young", young))
	want()

	// One that needs what is gone is broken, and the others are listed all the same.
	must(as.Follow(t.Context(), "b", young))
	must(as.Follow(t.Context(), "c", mustParse(t, "saved(b) and sex = f")))
	if err := as.Forget(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	must(as.Follow(t.Context(), "d", young))
	if list, err := view(t, as).Saved(t.Context()); err != nil || len(list) != 2 ||
		!errors.Is(list[0].Broken, uproar.ErrUnknownSet) || list[1].Broken != nil || list[1].Records == 0 {
		t.Fatalf("got %+v, %v, want c, which is broken, and d", list, err)
	}
	for _, name := range []string{"c", "d"} {
		if err := as.Forget(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}

	// Too many of one another are refused, before they are evaluated.
	must(as.Follow(t.Context(), "a0", young))
	err = nil
	for i := 0; err == nil && i < 20; i++ {
		_, err = as.Follow(t.Context(), fmt.Sprint("a", i+1), mustParse(t,
			fmt.Sprintf("saved(a%d) xor saved(a%d)", i, i)))
	}
	if !errors.Is(err, audience.ErrRecursive) {
		t.Errorf("got %v, want ErrRecursive", err)
	}
}
