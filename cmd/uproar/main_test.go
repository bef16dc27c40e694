// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// The scripts and the tests that kill run this very test binary under the names of these programs.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"uproar": main,
		"http":   httpMain,
		"slowly": slowlyMain,
	})
}

// TestScript runs the scripts of testdata/script, in the language of testscript. Beside its
// commands there are:
//
//	freeport NAME     sets the variable to a free address of this machine, and NAME_PORT to its port
//	term              sends SIGTERM to the latest background command
//	isempty DIR       fails unless the folder is empty
//	awaitup ADDR      waits until somebody listens on an address
//	awaitwriter ADDR  waits until the copy there knows which copy takes writes
//	awaitfile FILE    waits until there is a file
//
// and the programs http (httpMain) and slowly (slowlyMain).
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               writeBinaries,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"isempty":     isEmpty,
			"freeport":    freePort,
			"term":        terminate,
			"awaitup":     awaitUp,
			"awaitwriter": awaitWriter,
			"awaitfile":   awaitFile,
		},
	})
}

// A script fails that does not get what it says: otherwise the others would prove nothing.
func TestScriptCanFail(t *testing.T) {
	for _, script := range []string{
		"exec uproar nonsense",
		"! exec uproar version",
		"exec uproar version\nstdout 'something else'",
		"exec uproar version\n! stdout uproar",
		"exec uproar version\nstderr .",
		"exec uproar version\ncmp stdout want\n-- want --\nuproar\n",
		"exists nothing",
		"nonsense",
		"exec uproar version &\nfreeport A\nexec http GET http://$A/",
		"! exec uproar version &\nwait",
	} {
		file := t.TempDir() + "/script.txtar"
		if err := os.WriteFile(file, []byte(script+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		r := &recorder{T: t}
		func() {
			defer func() { // FailNow of the recorder
				if e := recover(); e != nil && e != errFailed {
					panic(e)
				}
			}()
			testscript.RunT(r, testscript.Params{
				Files: []string{file}, RequireExplicitExec: true,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){"freeport": freePort},
			})
		}()
		if !r.failed {
			t.Errorf("this script passed:\n%s", script)
		}
	}
}

var errFailed = errors.New("the script failed")

// recorder is a testscript.T that notes the failure of a script instead of failing.
type recorder struct {
	*testing.T
	failed bool
}

func (r *recorder) Run(_ string, f func(testscript.T)) { f(r) }
func (r *recorder) Parallel()                          {}
func (r *recorder) Verbose() bool                      { return false }
func (r *recorder) Log(...any)                         {}
func (r *recorder) Skip(args ...any)                   { r.T.Fatal(args...) }
func (r *recorder) Fatal(...any)                       { r.FailNow() }
func (r *recorder) FailNow() {
	r.failed = true
	panic(errFailed)
}

// writeBinaries gives every script the files that cannot stand in it as text.
func writeBinaries(env *testscript.Env) error {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	for i := range 1000 {
		fmt.Fprintf(zip, "%d %d\n", i, i*i%1000)
	}
	if err := zip.Close(); err != nil {
		return err
	}
	late := append([]byte{}, "id,n\n"...) // a column that is one of integers for long
	for i := range 12_000 {
		late = fmt.Appendf(late, "%d,%d\n", i, i%10)
	}
	cert, key, err := certificate()
	if err != nil {
		return err
	}
	people, err := os.ReadFile("../../apps/audience/parquet/testdata/people.parquet")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(env.WorkDir, "people.parquet"), people, 0o644),
		os.WriteFile(filepath.Join(env.WorkDir, "cert.pem"), cert, 0o644),
		os.WriteFile(filepath.Join(env.WorkDir, "key.pem"), key, 0o600),
		os.WriteFile(filepath.Join(env.WorkDir, "thousand.gz"), b.Bytes(), 0o644),
		os.WriteFile(filepath.Join(env.WorkDir, "late.csv"), append(late, "late,many\n"...), 0o644),
		os.WriteFile(filepath.Join(env.WorkDir, "cut.gz"), b.Bytes()[:b.Len()/2], 0o644),
		os.WriteFile(filepath.Join(env.WorkDir, "archive.csv"), []byte("PK\x03\x04 and so on"), 0o644),
	)
}

func isEmpty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: isempty DIR")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, e := range entries {
		ts.Fatalf("%s has %s", args[0], e.Name())
	}
}

// givenPorts holds the ports given to scripts: one may wait long before it uses its own.
var givenPorts sync.Map

func freePort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: freeport NAME")
	}
	addr, err := newAddress()
	ts.Check(err)
	_, port, err := net.SplitHostPort(addr)
	ts.Check(err)
	ts.Setenv(args[0], addr)
	ts.Setenv(args[0]+"_PORT", port)
}

// newAddress returns a free address of this machine, each time another one.
func newAddress() (string, error) {
	// The kernel gives this port to nobody who asks for any port, and nobody else here has it. So
	// it is still free when the program takes it, on whatever addresses.
	err := errors.New("no port is free")
	for range 1000 {
		port := 20_000 + rand.IntN(10_000)
		if _, given := givenPorts.LoadOrStore(port, true); given {
			continue
		}
		var ln net.Listener
		if ln, err = net.Listen("tcp", fmt.Sprint(":", port)); err == nil {
			return fmt.Sprint("127.0.0.1:", port), ln.Close()
		}
	}
	return "", err
}

// freeAddress is newAddress for tests.
func freeAddress(t *testing.T) string {
	t.Helper()
	addr, err := newAddress()
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

func terminate(ts *testscript.TestScript, neg bool, args []string) {
	background := ts.BackgroundCmds()
	if neg || len(args) != 0 || len(background) == 0 {
		ts.Fatalf("usage: term, with a background command")
	}
	ts.Check(background[len(background)-1].Process.Signal(syscall.SIGTERM))
}

// await waits until ready returns nil.
func await(ts *testscript.TestScript, ready func() error) {
	var err error
	for range 12_000 {
		if err = ready(); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("waited in vain: %v", err)
}

func awaitUp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: awaitup ADDR")
	}
	await(ts, func() error {
		conn, err := net.Dial("tcp", args[0])
		if err == nil {
			err = conn.Close()
		}
		return err
	})
}

func awaitWriter(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: awaitwriter ADDR")
	}
	await(ts, func() error {
		resp, err := http.Get("http://" + args[0] + "/healthz")
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		if err == nil && !strings.Contains(string(text), `"writerUrl":"http`) {
			err = fmt.Errorf("healthz: got %s", text)
		}
		return errors.Join(err, resp.Body.Close())
	})
}

func awaitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: awaitfile FILE")
	}
	await(ts, func() error {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return err
	})
}

// httpMain is the program http: `http METHOD URL [BODY]` prints the status and the body of the
// answer. A body is sent as JSON. The environment may have a TOKEN, and a file CA of certificates.
func httpMain() {
	var body io.Reader
	if len(os.Args) == 4 {
		body = strings.NewReader(os.Args[3])
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, os.Args[1], os.Args[2], body)
	if err == nil && body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	var client *http.Client
	if err == nil {
		client, err = (&database.RemoteFlags{CA: os.Getenv("CA")}).HTTP()
	}
	var resp *http.Response
	if err == nil {
		if token := os.Getenv("TOKEN"); token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err = client.Do(req)
	}
	if err == nil {
		fmt.Println(resp.StatusCode)
		_, err = io.Copy(os.Stdout, resp.Body)
		fmt.Println()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "http:", err)
		os.Exit(1)
	}
}

// slowlyMain is the program slowly: `slowly COMMAND ARGS...` runs a command, feeds it follows for
// as long as it runs, interrupts it after some thousands of them, and exits as it does.
func slowlyMain() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowly:", err)
		os.Exit(1)
	}
	go func() {
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(in, "account%d\ttarget%d\n", i, i%1000); err != nil {
				return
			}
			if i == 50_000 {
				_ = cmd.Process.Signal(os.Interrupt)
			}
			if i > 50_000 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	_ = cmd.Wait()
	os.Exit(cmd.ProcessState.ExitCode())
}
