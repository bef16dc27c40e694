// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const (
	alertsFile    = "../packaging/prometheus/alerts.yml"
	dashboardFile = "../packaging/grafana/provisioning/dashboards/uproar.json"
)

// TestPackagedFigures: alerts and dashboard ask for figures that there are.
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
	for _, file := range []string{alertsFile, dashboardFile} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`\buproar_[a-z_]+`).FindAllString(string(text), -1)
		if len(names) < 5 {
			t.Errorf("%s: got %d figures, want more", file, len(names))
		}
		for _, name := range names {
			if !documented[strings.TrimSuffix(name, "_bucket")] {
				t.Errorf("%s: there is no figure %s", file, name)
			}
		}
		if strings.HasSuffix(file, ".json") && !json.Valid(text) {
			t.Errorf("%s is not JSON", file)
		}
	}
}

// TestPackagedAlerts: Prometheus reads the alerts, and the figures of a server.
func TestPackagedAlerts(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("there is no promtool here")
	}
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
