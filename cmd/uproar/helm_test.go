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
	"strings"
	"testing"
)

const chart = "../../packaging/helm/uproar"

// TestHelmChart: Helm takes the chart, and the program takes what the chart makes of it: each flag
// of its command line and of its file.
func TestHelmChart(t *testing.T) {
	helm, err := exec.LookPath("helm")
	if err != nil {
		t.Skip("there is no helm here: go install helm.sh/helm/v3/cmd/helm@v3.22.0")
	}
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
			[]string{"replicas: 3", "podManagementPolicy: Parallel", "kind: ServiceMonitor", "secretName: t",
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
