// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// healthy is what Prometheus reads of a server that is well, a figure a minute: "0+60x60" is 60
// more each time. Its cache is full, as that of a server with more data than memory is.
var healthy = []struct{ figure, labels, values string }{
	{"up", ``, "1x60"},
	{"uproar_writable", ``, "1x60"},
	{"uproar_disk_free_bytes", ``, "50000000000-10000000x60"},
	{"uproar_disk_reserve_bytes", ``, "134217728x60"},
	{"uproar_disk_free_files", ``, "3000000x60"},
	{"uproar_http_errors_total", `code="internal", endpoint="query"`, "3x60"},
	{"uproar_http_errors_total", `code="overloaded", endpoint="query"`, "7x60"},
	{"uproar_http_errors_total", `code="unavailable", endpoint="query"`, "2x60"},
	{"uproar_http_errors_total", `code="unavailable", endpoint="readyz"`, "0+60x60"},
	{"uproar_http_request_duration_seconds_bucket", `endpoint="query", le="0.1"`, "0+6000x60"},
	{"uproar_http_request_duration_seconds_bucket", `endpoint="query", le="2"`, "0+6000x60"},
	{"uproar_http_request_duration_seconds_bucket", `endpoint="query", le="+Inf"`, "0+6000x60"},
	{"uproar_http_request_duration_seconds_bucket", `endpoint="changes", le="2"`, "0x60"},
	{"uproar_http_request_duration_seconds_bucket", `endpoint="changes", le="+Inf"`, "0+600x60"},
	{"uproar_memory_bytes", ``, "268000000x60"},
	{"uproar_cache_bytes", ``, "250000000x60"},
	{"uproar_memory_limit_bytes", ``, "268435456x60"},
	{"uproar_index_delta_bytes", `index="people"`, "20000000x60"},
	{"uproar_http_connections_refused_total", ``, "5x60"},
	{"uproar_http_connections_gave_way_total", ``, "0+6x60"},
	{"uproar_copy_age_seconds", ``, "1x60"},
	{"uproar_copy_leads", ``, "1x60"},
}

// never are the values of a figure that no server has ever had.
const never = "_x60"

// troubles are what becomes of one figure in trouble, or of all that a server has, and the one
// alert that is about it.
var troubles = []struct{ alert, figure, labels, values string }{
	{"UproarDown", "up", ``, "0x60"},
	{"UproarGone", "", ``, "1x10 stale"},
	{"UproarGone", "", ``, never},
	{"UproarTakesNoWrites", "uproar_writable", ``, "0x60"},
	{"UproarDiskFillsUp", "uproar_disk_free_bytes", ``, "200000000x60"},
	{"UproarDiskFillsUp", "uproar_disk_free_files", ``, "900x60"},
	{"UproarFails", "uproar_http_errors_total", `code="internal", endpoint="query"`, "0+1x60"},
	{"UproarOverloaded", "uproar_http_errors_total", `code="overloaded", endpoint="query"`, "0+120x60"},
	{"UproarUnavailable", "uproar_http_errors_total", `code="unavailable", endpoint="query"`, "0+12x60"},
	{"UproarSlow", "uproar_http_request_duration_seconds_bucket", `endpoint="query", le="0.1"`, "0+5000x60"},
	{"UproarShortOfMemory", "uproar_cache_bytes", ``, "16000000x60"},
	{"UproarFlushesBehind", "uproar_index_delta_bytes", `index="people"`, "60000000x60"},
	{"UproarConnectionsRefused", "uproar_http_connections_refused_total", ``, "0+6x60"},
	{"UproarConnectionsGiveWay", "uproar_http_connections_gave_way_total", ``, "0+120x60"},
	{"UproarCopyOld", "uproar_copy_age_seconds", ``, "45x60"},
	{"UproarNoWriter", "uproar_copy_leads", ``, "0x60"},
	{}, // all is well
}

// TestAlerts: each alert fires for what it is about, no other does, and a server that is well has
// none.
func TestAlerts(t *testing.T) {
	promtool := promtool(t)
	rules, err := filepath.Abs(alertsFile)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	tests := fmt.Sprintf("rule_files: [%q]\nevaluation_interval: 1m\ntests:\n", rules)
	for _, trouble := range troubles {
		tests += fmt.Sprintf("- name: %q\n  interval: 1m\n  input_series:\n", trouble.alert)
		changed := 0
		for _, h := range healthy {
			values := h.values
			if trouble.figure == "" && trouble.alert != "" {
				values, changed = trouble.values, 1
			}
			if h.figure == trouble.figure && h.labels == trouble.labels {
				values, changed = trouble.values, changed+1
			}
			labels := strings.TrimPrefix(h.labels+`, instance="db:7070", job="uproar"`, ", ")
			tests += fmt.Sprintf("  - {series: '%s{%s}', values: '%s'}\n", h.figure, labels, values)
			if trouble.values != never { // another database of the cluster is well
				labels = strings.TrimPrefix(h.labels+`, instance="other:7070", job="uproar", namespace="n", service="s"`, ", ")
				tests += fmt.Sprintf("  - {series: '%s{%s}', values: '%s'}\n", h.figure, labels, h.values)
			}
		}
		fires := ""
		if trouble.alert != "" {
			fires = fmt.Sprintf("{labels: '{alertname=%q}', value: 1}", trouble.alert)
			if changed != 1 {
				t.Fatalf("%s: %d figures are %s{%s}, want one", trouble.alert, changed, trouble.figure, trouble.labels)
			}
		}
		tests += fmt.Sprintf("  promql_expr_test:\n  - expr: 'sum by (alertname) (ALERTS{alertstate=\"firing\"})'\n"+
			"    eval_time: 20m\n    exp_samples: [%s]\n", fires)
	}
	for _, alert := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(tests, fmt.Sprintf("- name: %q\n", alert[1])) {
			t.Errorf("no test has %s fire", alert[1])
		}
	}
	file := filepath.Join(t.TempDir(), "tests.yml")
	if err := os.WriteFile(file, []byte(tests), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(promtool, "test", "rules", file).CombinedOutput(); err != nil {
		t.Errorf("promtool test rules: %v\n%s", err, out)
	}
}
