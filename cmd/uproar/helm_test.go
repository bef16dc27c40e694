// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const chart = "../../packaging/helm/uproar"

// TestHelmChart: Helm takes the chart, and the program takes what the chart makes of it: each flag
// of its command line and of its file.
func TestHelmChart(t *testing.T) {
	helm := installed(t, "helm", "UPROAR_CI_RELEASE")
	if out, err := exec.Command(helm, "lint", "--strict", chart).CombinedOutput(); err != nil {
		t.Errorf("helm lint: %v\n%s", err, out)
	}
	for _, c := range []struct {
		name, set  string
		want, lack []string
	}{
		{"alone", "config.trace-endpoint=http://c:4318", []string{"replicas: 1", "--insecure-listen",
			"runAsNonRoot: true", "readOnlyRootFilesystem: true", "volumeClaimTemplates:", "path: /healthz",
			"{name: TMPDIR, value: /data}",
			`trace-endpoint = "http://c:4318"`},
			[]string{"ServiceMonitor", "--log=", "--tokens", "NetworkPolicy"}},
		{"three copies", "log.url=s3://b/p?region=eu,tokens.secret=t,tls.secret=c,serviceMonitor.enabled=true," +
			"serviceMonitor.tokenSecret.name=x,serviceMonitor.tokenSecret.key=y,networkPolicy.enabled=true",
			[]string{"replicas: 3", "podManagementPolicy: Parallel", "secretName: t",
				"secretName: c",
				"--advertise=https://$(POD_NAME).net-uproar-copies.default.svc.cluster.local:7070", "scheme: HTTPS",
				"kind: NetworkPolicy"}, []string{"--insecure-listen", "--host"}},
		{"tokens alone", "tokens.secret=t", []string{"--tokens=/etc/uproar/tokens/tokens", "--insecure-listen"}, nil},
	} {
		out, err := exec.Command(helm, "template", "net", chart, "--set", c.set).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: helm template: %v\n%s", c.name, err, out)
		}
		for _, want := range c.want {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s: there is no %q in\n%s", c.name, want, out)
			}
		}
		for _, lack := range c.lack {
			if bytes.Contains(out, []byte(lack)) {
				t.Errorf("%s: there is %q in\n%s", c.name, lack, out)
			}
		}
		if strings.Contains(c.set, "serviceMonitor.enabled=true") {
			if got := scrapedJob(string(out)); got != alertJob(t) {
				t.Errorf("%s: the figures are of the job %q, the alerts ask for %q:\n%s", c.name, got, alertJob(t), out)
			}
		}
		line := regexp.MustCompile(`(?m)^ +args: (\[.*\])$`).FindSubmatch(out)
		_, rest, _ := strings.Cut(string(out), "  uproar.toml: |\n")
		file, _, _ := strings.Cut(rest, "---")
		var args []string
		if line == nil || json.Unmarshal(line[1], &args) != nil || len(args) < 4 || args[0] != "serve" {
			t.Fatalf("%s: got no arguments in\n%s", c.name, out)
		}
		config := filepath.Join(t.TempDir(), "uproar.toml")
		if err := os.WriteFile(config, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		args[0] = "config" // which takes the flags of serve, and starts nothing
		for i, arg := range args {
			arg = strings.ReplaceAll(arg, "$(POD_NAME)", "net-0")
			args[i] = strings.ReplaceAll(arg, "/etc/uproar/uproar.toml", config)
		}
		var shown, failed bytes.Buffer
		if code := run(t.Context(), args, strings.NewReader(""), &shown, &failed, os.Getenv); code != 0 ||
			!strings.Contains(shown.String(), `"512 MiB"`) {
			t.Errorf("%s: uproar %q: got %d, %s\n%s", c.name, args, code, failed.String(), shown.String())
		}
	}
}

// alertJob returns the job that the alerts ask for.
func alertJob(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../packaging/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`job="([^"]*)"`).FindAllStringSubmatch(string(text), -1)
	if len(asked) == 0 || slices.ContainsFunc(asked, func(m []string) bool { return m[1] != asked[0][1] }) {
		t.Fatalf("got the jobs %q of alerts, want one", asked)
	}
	return asked[0][1]
}

// scrapedJob returns the job of figures that the rendered chart's ServiceMonitor makes Prometheus
// read: what the Service has in the label that jobLabel names, or else the name of the Service. It
// returns "" when there is not one Service that the monitor selects.
func scrapedJob(rendered string) string {
	var monitor string
	var services []string
	for text := range strings.SplitSeq(rendered, "\n---") {
		switch kind := regexp.MustCompile(`(?m)^kind: (\w+)$`).FindStringSubmatch(text); {
		case kind == nil:
		case kind[1] == "ServiceMonitor":
			monitor = text
		case kind[1] == "Service":
			services = append(services, text)
		}
	}
	_, selector, _ := strings.Cut(monitor, "\n    matchLabels:\n")
	selector, _, _ = strings.Cut(selector, "\n  endpoints:")
	if selector == "" {
		return ""
	}
	services = slices.DeleteFunc(services, func(service string) bool {
		labels, _, _ := strings.Cut(service, "\nspec:")
		for label := range strings.Lines(selector) {
			if !strings.Contains(labels+"\n", "\n    "+strings.TrimSpace(label)+"\n") {
				return true
			}
		}
		return false
	})
	if len(services) != 1 {
		return ""
	}
	label := "  name" // of the metadata
	if m := regexp.MustCompile(`(?m)^  jobLabel: (\S+)`).FindStringSubmatch(monitor); m != nil {
		label = "    " + m[1]
	}
	value := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(label) + `: (\S+)$`).FindStringSubmatch(services[0])
	if value == nil {
		return ""
	}
	return value[1]
}

// TestAlertsJob: what the chart's templates say without Helm, and the file that compose gives to
// Prometheus, lead to the job that the alerts ask for. The dashboard asks the source of figures
// that its reader chooses.
func TestAlertsJob(t *testing.T) {
	for file, want := range map[string]string{
		chart + "/templates/servicemonitor.yaml":    `(?m)^  jobLabel: app\.kubernetes\.io/name\b`,
		chart + "/templates/_helpers.tpl":           `(?m)^app\.kubernetes\.io/name: \{\{ \.Chart\.Name \}\}$`,
		chart + "/Chart.yaml":                       `(?m)^name: ` + alertJob(t) + `$`,
		"../../packaging/prometheus/prometheus.yml": `(?m)^  - job_name: ` + alertJob(t) + `$`,
		"../../packaging/docker/compose.yaml":       `\.\./prometheus:/etc/prometheus`,
	} {
		if text, err := os.ReadFile(file); err != nil || !regexp.MustCompile(want).Match(text) {
			t.Errorf("%s: got %v, want what matches %s", file, err, want)
		}
	}
	text, err := os.ReadFile("../../packaging/grafana/provisioning/dashboards/uproar.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Templating struct {
			List []struct{ Name, Type, Query string }
		}
		Panels []struct {
			Title      string
			Datasource struct{ UID string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	list := board.Templating.List
	if len(list) == 0 || list[0].Name != "datasource" || list[0].Type != "datasource" || list[0].Query != "prometheus" {
		t.Errorf("got the variables %+v, want first that of the source", list)
	}
	for _, p := range board.Panels {
		if p.Datasource.UID != "${datasource}" {
			t.Errorf("%s: got the source %q, want the variable", p.Title, p.Datasource.UID)
		}
	}
}
