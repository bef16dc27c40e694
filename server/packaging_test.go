// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	alertsFile    = "../packaging/prometheus/alerts.yml"
	dashboardFile = "../packaging/grafana/provisioning/dashboards/uproar.json"
)

// TestPackagedFigures: alerts and dashboard ask for figures that a server has, by labels that they
// have, and that the guide explains.
func TestPackagedFigures(t *testing.T) {
	guide, err := os.ReadFile("operations.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := make(map[string]bool)
	for _, name := range regexp.MustCompile("`(uproar_[a-z_]+)").FindAllStringSubmatch(string(guide), -1) {
		documented[name[1]] = true
	}
	for _, name := range regexp.MustCompile("`(_[a-z_]+)`").FindAllStringSubmatch(string(guide), -1) {
		documented["uproar_copy"+name[1]] = true
	}
	labels := figuresOfAll(t)
	for _, file := range []string{alertsFile, dashboardFile} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := regexp.MustCompile(`(?m)^ *"?expr"?: (.*)$`).FindAllStringSubmatch(string(text), -1)
		if len(asked) < 10 {
			t.Errorf("%s: got %d questions, want more", file, len(asked))
		}
		for _, expr := range asked {
			known := "instance job le namespace service" // which Prometheus adds, the last two in a cluster
			for _, name := range figureName.FindAllString(expr[1], -1) {
				own, ok := labels[strings.TrimSuffix(name, "_bucket")]
				if !ok {
					t.Errorf("%s: no server has the figure %s", file, name)
				}
				if strings.HasPrefix(name, "uproar_") && !documented[strings.TrimSuffix(name, "_bucket")] {
					t.Errorf("%s: the guide does not explain the figure %s", file, name)
				}
				known += " " + own
			}
			for _, of := range regexp.MustCompile(`by \(([^)]*)\)|[{,](\w+)[!=]~?`).FindAllStringSubmatch(expr[1], -1) {
				for label := range strings.FieldsSeq(strings.ReplaceAll(of[1]+","+of[2], ",", " ")) {
					if !slices.Contains(strings.Fields(known), label) {
						t.Errorf("%s: %s: got the label %s, want one of %s", file, expr[1], label, known)
					}
				}
			}
		}
		if strings.HasSuffix(file, ".json") && !json.Valid(text) {
			t.Errorf("%s is not JSON", file)
		}
	}
}

var figureName = regexp.MustCompile(`\b(?:uproar|process|go)_[a-z_]+|\bup\b`)

// figuresOfAll returns the figures of a server that is a copy, has a disk, has answered, and has
// refused: each with its labels.
func figuresOfAll(t *testing.T) map[string]string {
	disk := &smallDisk{Store: memstore.New()}
	disk.free.Store(1 << 30)
	db, err := uproar.Open(t.Context(), disk, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := graph.Open(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, &server.Options{Replica: aCopy{}, Logger: slog.New(slog.DiscardHandler)}, db, nil)
	s.do("GET", "/v1/query?index=accounts&q=all", "")
	s.do("GET", "/v1/query?index=nothing&q=all", "")
	_, text := s.do("GET", "/metrics", "")
	labels := map[string]string{"up": ""}
	for line := range strings.Lines(text) {
		if name := figureName.FindString(line); name != "" && line[0] != '#' {
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				name = strings.TrimSuffix(name, suffix)
			}
			labels[name] += " " + strings.Join(regexp.MustCompile(`\w+=`).FindAllString(line, -1), " ")
			labels[name] = strings.ReplaceAll(labels[name], "=", "")
		}
	}
	return labels
}

// promtool returns where Prometheus' tool is. Without it a test is skipped, but where .ci/run has
// installed it.
func promtool(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no promtool, though CI=true")
	} else if err != nil {
		t.Skip("there is no promtool here")
	}
	return path
}

// TestPackagedAlerts: Prometheus reads the alerts, and the figures of a server.
func TestPackagedAlerts(t *testing.T) {
	promtool := promtool(t)
	for _, args := range [][]string{{"check", "rules", alertsFile},
		{"check", "config", "../packaging/prometheus/prometheus.yml"}} {
		if out, err := exec.Command(promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	check := exec.Command(promtool, "check", "metrics")
	_, figures := newSite(t, nil).do("GET", "/metrics", "")
	check.Stdin = strings.NewReader(figures)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}
