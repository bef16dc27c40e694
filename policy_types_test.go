// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os/exec"
	"path"
	"strings"
	"sync"
)

// A typeChecker type-checks the packages of a tree. Packages of other modules are empty to it: what
// this module uses of its own is known without them.
type typeChecker struct {
	tree     *tree
	dirs     map[string][]*source // what is built for one system, without tests
	packages map[string]*types.Package
	infos    map[string]*types.Info

	benchmarks map[string][]*source // of the module below this one, tests included
}

// standard type-checks the standard library, once for all trees.
var standard = sync.OnceValue(func() types.Importer {
	if build.Default.GOROOT == "" { // with -trimpath
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			panic(err)
		}
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// types returns the type-checker of a tree.
func (t *tree) types() *typeChecker {
	if t.checker == nil {
		t.checker = &typeChecker{tree: t, dirs: t.codeByDir(), packages: make(map[string]*types.Package),
			infos: make(map[string]*types.Info), benchmarks: t.benchmarksByDir()}
	}
	return t.checker
}

// codeByDir returns the files that are built for one system, without tests.
func (t *tree) codeByDir() map[string][]*source {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	texts := make(map[string]string)
	context.OpenFile = func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(texts[name])), nil
	}
	dirs := make(map[string][]*source)
	for _, s := range t.sources {
		dir, name := path.Split(s.path)
		dir = path.Clean(dir)
		if s.test || s.ignored {
			continue
		}
		texts[path.Join(dir, name)] = s.text
		if ok, err := context.MatchFile(dir, name); err == nil && ok {
			dirs[dir] = append(dirs[dir], s)
		}
	}
	return dirs
}

// benchmarksByDir returns the files of the module of benchmarks, tests included.
func (t *tree) benchmarksByDir() map[string][]*source {
	dirs := make(map[string][]*source)
	for p, text := range t.texts {
		if strings.HasPrefix(p, "bench/") && path.Ext(p) == ".go" {
			if s, err := t.parse(p, text); err == nil {
				dirs[s.dir()] = append(dirs[s.dir()], s)
			}
		}
	}
	return dirs
}

// Import returns a package that another one imports.
func (c *typeChecker) Import(name string) (*types.Package, error) {
	dir, local := strings.CutPrefix(name, c.tree.module+"/")
	if name == c.tree.module {
		dir, local = ".", true
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case local:
		return c.check(dir), nil
	case strings.Contains(first, "."):
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		return p, nil
	default:
		return standard().Import(name)
	}
}

// check type-checks a package once.
func (c *typeChecker) check(dir string) *types.Package {
	if p := c.packages[dir]; p != nil {
		return p
	}
	var files []*ast.File
	for _, s := range append(c.dirs[dir], c.benchmarks[dir]...) {
		if !s.test {
			files = append(files, s.file)
		}
	}
	c.infos[dir] = &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	c.packages[dir] = c.checkFiles(dir, files, c.infos[dir])
	return c.packages[dir]
}

// checkFiles type-checks files as one package. That packages of other modules are empty makes
// errors, which do not matter.
func (c *typeChecker) checkFiles(dir string, files []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	p, _ := config.Check(dir, c.tree.fset, files, info)
	return p
}
