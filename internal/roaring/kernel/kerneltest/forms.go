// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Form pairs a function in assembly with its reference, whose type decides how they are compared.
// Called is nil, or the function to call instead on that path. It does all of the work where the
// assembly leaves a part to Go, or is for some operands only.
type Form struct {
	Path                        cpu.Path
	Assembly, Called, Reference any
}

// CompareForms has every form compared with its reference, by what compare makes of the function
// that is called. A form of a path that this processor has not got is logged; that all paths of the
// processor ran is for Main to say.
func CompareForms(t *testing.T, forms []Form, compare func(t *testing.T, called, reference any)) {
	if cpu.Active != cpu.Best() {
		t.Skip("done once, with the best path")
	}
	for _, c := range forms {
		t.Run(NameOf(c.Assembly), func(t *testing.T) {
			if !slices.Contains(cpu.Paths(), c.Path) {
				t.Skipf("this processor has not got %v", c.Path)
			}
			if what := Lacks(NameOf(c.Assembly)); what != "" {
				t.Skipf("this processor has not got %s", what)
			}
			defer cpu.Use(cpu.Active)
			cpu.Use(c.Path) // for functions that choose a form
			called := c.Assembly
			if c.Called != nil {
				called = c.Called
			}
			compare(t, called, c.Reference)
		})
	}
}

// NameOf returns the name of a function, without that of its package.
func NameOf(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

// CheckCompared reads the sources in assembly of the package under test: each function must be
// among the forms, under the path that its name ends in.
func CheckCompared(t *testing.T, forms []Form) {
	compared := map[string]cpu.Path{}
	for _, c := range forms {
		compared[NameOf(c.Assembly)] = c.Path
	}
	files, err := filepath.Glob("*_" + runtime.GOARCH + ".s")
	if err != nil || len(files) == 0 {
		t.Fatal("no source in assembly was found", err)
	}
	text := regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`)
	n := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range text.FindAllStringSubmatch(string(source), -1) {
			name := m[1]
			n++
			path, ok := compared[name]
			if !ok {
				t.Errorf("%s is compared with nothing", name)
			}
			if !strings.HasSuffix(name, strings.ToUpper(path.String())) {
				t.Errorf("%s stands under path %v", name, path)
			}
		}
	}
	if n != len(forms) {
		t.Errorf("%d functions in assembly, %d are compared", n, len(forms))
	}
	t.Log(n, "functions in assembly")
}

// NewForm returns a form.
func NewForm(path cpu.Path, assembly, called, reference any) Form {
	return Form{path, assembly, called, reference}
}
