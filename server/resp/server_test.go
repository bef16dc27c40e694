// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// TestProtocol sends bytes as they are, and compares the bytes of the replies.
func TestProtocol(t *testing.T) {
	addr, _ := serve(t, Options{})
	for _, test := range []struct{ send, want string }{
		{"PING\r\n*1\r\n$4\r\nPING\r\n*0\r\n\r\nECHO \"a\\x00\"\nQUIT\r\n", "+PONG\r\n+PONG\r\n$2\r\na\x00\r\n+OK\r\n"},
		{"SMEMBERS x\r\nHELLO 3\r\nSMEMBERS x\r\nSPOP x\r\nQUIT\r\n",
			"*0\r\n%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n" + serverVersion +
				"\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:2\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n~0\r\n_\r\n+OK\r\n"},
		{"SADD s 1\r\nSADD s \"\"\r\nSISMEMBER s \"\"\r\nSADD\r\nfoo a b\r\nSCARD s\r\nQUIT\r\n",
			":1\r\n:1\r\n:1\r\n-ERR wrong number of arguments for 'sadd' command\r\n" +
				"-ERR unknown command 'foo', with args beginning with: 'a' 'b' \r\n:2\r\n+OK\r\n"},
		{"*1\r\n$-1\r\n", "-ERR Protocol error: invalid bulk length\r\n"},
		{"SCARD s\r\nset \"a\r\n", ":2\r\n-ERR Protocol error: unbalanced quotes in request\r\n"},
		{"HELLO 4\r\nHELLO x\r\nHELLO 2 FOO\r\nSELECT 1\r\nSELECT x\r\nSELECT 0\r\nQUIT\r\n",
			"-NOPROTO unsupported protocol version\r\n-ERR Protocol version is not an integer or out of range\r\n" +
				"-ERR Syntax error in HELLO option 'FOO'\r\n-ERR DB index is out of range\r\n" +
				"-ERR value is not an integer or out of range\r\n+OK\r\n+OK\r\n"},
		{"AUTH x\r\nAUTH default x\r\nCLIENT SETNAME a\r\nCLIENT GETNAME\r\nRESET\r\nCLIENT GETNAME\r\n" +
			"CLIENT FOO\r\nCLIENT SETNAME\r\nQUIT\r\n",
			"-ERR AUTH <password> called without any password configured for the default user. Are you sure your " +
				"configuration is correct?\r\n+OK\r\n+OK\r\n$1\r\na\r\n+RESET\r\n$-1\r\n-ERR unknown subcommand 'FOO'. Try CLIENT HELP.\r\n" +
				"-ERR wrong number of arguments for 'client|setname' command\r\n+OK\r\n"},
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(conn, test.send); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(conn)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != test.want {
			t.Errorf("%q:\ngot  %q\nwant %q", test.send, got, test.want)
		}
		_ = conn.Close()
	}
}

// TestAccess checks who may do what with which token.
func TestAccess(t *testing.T) {
	addr, _ := serve(t, Options{Allow: func(token string) (string, Access) {
		switch token {
		case "reads":
			return "ann", Reader
		case "writes":
			return "bob", Writer
		}
		return "", Nobody
	}})
	c := dial(t, addr)
	c.words("PING", "-NOAUTH Authentication required.")
	c.words("FOO", "-NOAUTH Authentication required.")
	c.words("EXEC x", "-NOAUTH Authentication required.")
	if got := c.ask("HELLO", "3"); !strings.HasPrefix(got, "-NOAUTH HELLO must be called") {
		t.Errorf("HELLO without a token: got %s", got)
	}
	c.words("AUTH wrong", "-WRONGPASS invalid username-password pair or user is disabled.")
	c.words("AUTH bob reads", "-WRONGPASS invalid username-password pair or user is disabled.")
	c.words("AUTH reads", "+OK")
	c.words("SCARD s", ":0")
	c.words("SADD s 1", "-NOPERM User ann has no permissions to run the 'sadd' command")
	c.words("CONFIG SET timeout 1", "-NOPERM User ann has no permissions to run the 'config|set' command")
	c.words("MULTI", "+OK")
	c.words("SADD s 1", "-NOPERM User ann has no permissions to run the 'sadd' command")
	c.words("EXEC", "-EXECABORT Transaction discarded because of previous errors.")
	c.words("AUTH bob writes", "+OK")
	c.words("SADD s 1", ":1")
	c.words("RESET", "+RESET")
	c.words("SCARD s", "-NOAUTH Authentication required.")
	stranger := dial(t, addr)
	stranger.raw("*11\r\n")
	if got := stranger.reply(); got != "-ERR Protocol error: unauthenticated multibulk length" {
		t.Errorf("a large command without a token: got %s", got)
	}
}

// TestTransactions checks MULTI, and WATCH with writes of others before and within the same commit.
func TestTransactions(t *testing.T) {
	addr, db := serve(t, Options{Placeholders: true})
	a, b := dial(t, addr), dial(t, addr)
	a.words("SADD s 1 2", ":2")
	a.words("MULTI", "+OK")
	a.words("SADD s 3", "+QUEUED")
	a.words("SMEMBERS s", "+QUEUED")
	a.words("SINTERSTORE d s s", "+QUEUED")
	a.words("SREM d 1", "+QUEUED")
	a.words("SCARD d", "+QUEUED")
	a.words("DBSIZE", "+QUEUED")
	a.words("SET k v", "+QUEUED")
	a.words("SADD k v", "+QUEUED")
	a.words("FLUSHALL", "+QUEUED")
	a.words("DBSIZE", "+QUEUED")
	a.words("SADD s 1", "+QUEUED")
	b.words("SCARD s", ":2")
	a.send([]string{"EXEC"})
	got, err := readReply(a.r, true)
	want := `*[*["1" "2" "3"] +OK +OK ` + string("-"+errWrongType) + ` :0 :1 :1 :1 :2 :2 :3]`
	if err != nil || got != want {
		t.Errorf("EXEC: got %s, %v\nwant %s", got, err, want)
	}
	b.words("SMEMBERS s", `*["1"]`)
	b.words("EXISTS d k", ":0")

	a.words("WATCH s", "+OK")
	b.words("SADD s 2", ":1")
	a.words("MULTI", "+OK")
	a.words("SADD s 3", "+QUEUED")
	a.words("EXEC", "*-1")
	a.words("WATCH s", "+OK")
	b.words("SADD s 2", ":0")
	a.words("MULTI", "+OK")
	a.words("SADD s 3", "+QUEUED")
	a.words("EXEC", "*[:1]")

	// Who writes to the index by other means is noticed, too.
	a.words("WATCH s", "+OK")
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	var batch uproar.Batch
	batch.Set("sets", "over http", "s")
	if _, err := ix.Write(t.Context(), &batch); err != nil {
		t.Fatal(err)
	}
	a.words("MULTI", "+OK")
	a.words("SCARD s", "+QUEUED")
	a.words("SADD s 4", "+QUEUED")
	a.words("EXEC", "*-1")
	a.words("SISMEMBER s 4", ":0")
	a.want(":1", "SISMEMBER", "s", "over http")

	// Many clients count up by WATCH: no step is lost.
	const clients, steps = 8, 10
	var wg sync.WaitGroup
	for range clients {
		c := dial(t, addr)
		wg.Go(func() {
			for done := 0; done < steps; {
				c.ask("WATCH", "counter")
				next := "n" + c.ask("SCARD", "counter")
				c.ask("MULTI")
				c.ask("SADD", "counter", next)
				if c.ask("EXEC") == "*[:1]" {
					done++
				}
			}
		})
	}
	wg.Wait()
	a.words("SCARD counter", fmt.Sprintf(":%d", clients*steps))
}

// TestTimes checks that keys and members end, exactly also after a restart.
func TestTimes(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	addr, stop := serveDB(t, db, Options{})
	c := dial(t, addr)
	c.words("SADD soon a b", ":2")
	c.words("SADD late a b c d", ":4")
	c.words("SADD moved a b", ":2")
	c.words("PEXPIRE soon 400", ":1")
	c.words("EXPIRE late 1000", ":1")
	c.words("TTL late", ":1000")
	c.words("EXPIRE late 500 GT", ":0")
	c.words("EXPIRE late 500 LT", ":1")
	c.words("SPEXPIRE late 400 MEMBERS 3 a b zzz", "*[:1 :1 :-2]")
	c.words("SPEXPIRE late 0 MEMBERS 1 d", "*[:2]")
	c.words("SEXPIRE late 100 NX MEMBERS 2 a c", "*[:0 :1]")
	c.words("STTL late MEMBERS 3 c d zzz", "*[:100 :-2 :-2]")
	c.words("SPERSIST late MEMBERS 2 b c", "*[:1 :1]")
	c.words("STTL late MEMBERS 2 b c", "*[:-1 :-1]")
	c.words("SPEXPIRE moved 400 MEMBERS 1 a", "*[:1]")
	c.words("RENAME moved there", "+OK")
	c.words("SPEXPIRE there 400 MEMBER 1 a", "-ERR Mandatory argument MEMBERS is missing or not at the right position")
	c.words("SPEXPIRE there 400 MEMBERS 2 a", "-ERR The `nummembers` parameter must match the number of arguments")
	c.words("SADD again a", ":1")
	c.words("SPEXPIRE again 400 MEMBERS 1 a", "*[:1]")
	c.words("SREM again a", ":1")
	c.words("SADD again a", ":1") // a new member: it does not end
	c.words("SADD persists a", ":1")
	c.words("PEXPIRE persists 400", ":1")
	c.words("PERSIST persists", ":1")
	c.words("EXISTS soon late there", ":3")
	stop()
	addr, _ = serveDB(t, db, Options{})
	c = dial(t, addr)
	c.words("SCARD there", ":2")
	time.Sleep(450 * time.Millisecond)
	c.words("EXISTS soon", ":0")
	c.words("SMISMEMBER late a b c d", "*[:0 :1 :1 :0]")
	c.words("SMEMBERS there", `*["b"]`)
	c.words("SCARD again", ":1")
	c.words("PTTL persists", ":-1")
	c.words("DBSIZE", ":4")
	c.words("EXPIRE late -1", ":1")
	c.words("EXISTS late", ":0")
}

// TestReader serves a database that takes no writes: what has ended is not seen though it cannot be
// deleted.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	open := func(readOnly bool) *uproar.DB {
		s, err := pebblestore.Open(dir, &pebblestore.Options{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		db, err := uproar.Open(t.Context(), s, &uproar.Options{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := open(false)
	addr, stop := serveDB(t, db, Options{Placeholders: true})
	c := dial(t, addr)
	c.words("SADD soon a", ":1")
	c.words("SADD stays a b", ":2")
	c.words("SET text x", "+OK")
	c.words("PEXPIRE soon 300", ":1")
	c.words("SADD part a b c", ":3")
	c.words("SPEXPIRE part 300 MEMBERS 2 a b", "*[:1 :1]")
	c.words("SADD whole a", ":1")
	c.words("SPEXPIRE whole 300 MEMBERS 1 a", "*[:1]")
	stop()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(true)
	defer db.Close()
	time.Sleep(350 * time.Millisecond)
	addr, stop = serveDB(t, db, Options{Placeholders: true})
	defer stop()
	c = dial(t, addr)
	c.words("EXISTS soon", ":0")
	c.words("SMEMBERS soon", "*[]")
	c.words("TYPE soon", "+none")
	c.words("SUNION stays soon", `*["a" "b"]`)
	c.words("SMEMBERS part", `*["c"]`)
	c.words("SCARD part", ":1")
	c.words("SMISMEMBER part a c", "*[:0 :1]")
	c.words("STTL part MEMBERS 2 a c", "*[:-2 :-1]")
	c.words("SINTERCARD 2 part part", ":1")
	c.words("SRANDMEMBER part", `"c"`)
	c.words("SSCAN part 0", `*["0" *["c"]]`)
	c.words("EXISTS whole", ":0")
	c.words("TYPE whole", "+none")
	c.words("DBSIZE", ":3")
	c.send([]string{"KEYS", "*"})
	if got, err := readReply(c.r, true); err != nil || got != `*["part" "stays" "text"]` {
		t.Errorf("KEYS: got %s, %v", got, err)
	}
	c.words("SCARD text", "-WRONGTYPE Operation against a key holding the wrong kind of value")
	c.words("SADD stays c", "-READONLY You can't write against a read only replica.")
	c.words("MULTI", "+OK")
	c.words("SMEMBERS stays", "+QUEUED")
	c.words("SCARD stays", "+QUEUED")
	c.words("EXEC", `*[*["a" "b"] :2]`)
}

// TestSecure asks over TLS.
func TestSecure(t *testing.T) {
	unused := httptest.NewUnstartedServer(nil)
	unused.StartTLS()
	defer unused.Close()
	addr, _ := serve(t, Options{TLS: &tls.Config{Certificates: unused.TLS.Certificates}})
	conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	c := &testClient{t, conn, bufio.NewReader(conn)}
	c.words("SADD s a", ":1")
	c.words("SMEMBERS s", `*["a"]`)
	plain := dial(t, addr)
	plain.raw("PING\r\n")
	_ = plain.conn.SetReadDeadline(time.Now().Add(time.Minute))
	if got, err := readReply(plain.r, false); err == nil && strings.HasPrefix(got, "+") {
		t.Errorf("without TLS: got %s, want no answer", got)
	}
}

// TestLarge stores, lists and scans sets that are larger than what is done at once.
func TestLarge(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	const n = storedAtOnce + 1000
	args := []string{"SADD", "large"}
	for i := range n {
		if args = append(args, fmt.Sprint("m", i)); len(args) == 10_000 || i == n-1 {
			c.want(fmt.Sprint(":", len(args)-2), args...)
			args = args[:2]
		}
	}
	c.words("SUNIONSTORE other large", fmt.Sprint(":", n))
	c.words("SCARD other", fmt.Sprint(":", n))
	c.words("SADD other m0 new", ":1")
	c.words("SINTERCARD 2 large other", fmt.Sprint(":", n))
	c.words("SINTERCARD 2 large other LIMIT 5", ":5")
	c.words("SDIFF other large", `*["new"]`)
	c.send([]string{"SMEMBERS", "other"})
	if got := strings.Count(c.reply(), `"`) / 2; got != n+1 {
		t.Errorf("SMEMBERS: got %d members, want %d", got, n+1)
	}
	seen, cursor := make(map[string]bool), "0"
	for {
		c.send([]string{"SSCAN", "other", cursor, "COUNT", "5000"})
		fields := strings.Split(c.reply(), `"`)
		for i := 3; i < len(fields); i += 2 {
			if seen[fields[i]] {
				t.Fatalf("SSCAN returned %s twice", fields[i])
			}
			seen[fields[i]] = true
		}
		if cursor = fields[1]; cursor == "0" {
			break
		}
	}
	if len(seen) != n+1 {
		t.Errorf("SSCAN: got %d members, want %d", len(seen), n+1)
	}
	c.words("MULTI", "+OK")
	c.words("SADD other x", "+QUEUED")
	c.words("RENAME large third", "+QUEUED")
	c.words("EXEC", "*[:1 -ERR the set is too large to be stored in a transaction: send the command alone]")
	c.words("RENAME other third", "+OK")
	c.words("SCARD third", fmt.Sprint(":", n+2))
	c.words("EXISTS other", ":0")
	c.words("SADD few m1 m2 x y", ":4") // x is in third, y is not
	c.words("PEXPIRE third 1000000", ":1")
	c.words("SUNIONSTORE third third few", fmt.Sprint(":", n+3))
	c.words("TTL third", ":-1")
	c.words("SDIFFSTORE third third few", fmt.Sprint(":", n-1))
	c.words("SCARD third", fmt.Sprint(":", n-1))
	c.words("SINTER third few", "*[]")
	c.words("SUNIONSTORE third few third", fmt.Sprint(":", n+3))
	c.words("COPY large third REPLACE", ":1")
	c.words("SCARD third", fmt.Sprint(":", n))
	c.words("SDIFF third large", "*[]")
	c.words("SADD third new x", ":2")
	c.words("RENAME third large", "+OK")
	c.words("SCARD large", fmt.Sprint(":", n+2))
	c.words("SMISMEMBER large new x y", "*[:1 :1 :0]")
	c.words("RENAME large third", "+OK")
	c.words("SUNIONSTORE large third", fmt.Sprint(":", n+2))
	c.send([]string{"SPOP", "third", "100000"})
	c.reply()
	c.words("SCARD third", fmt.Sprint(":", n+2-100_000))
}

// TestStops ends a server under load: what was acknowledged is there.
func TestStops(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	addr, stop := serveDB(t, db, Options{Drain: time.Second, Connections: 3})
	var wg sync.WaitGroup
	var acknowledged [2]int
	for k := range acknowledged {
		c := dial(t, addr)
		wg.Go(func() {
			for {
				c.send([]string{"SADD", fmt.Sprint("k", k), fmt.Sprint(acknowledged[k])})
				_ = c.conn.SetReadDeadline(time.Now().Add(time.Minute))
				if got, err := readReply(c.r, false); err != nil || got != ":1" {
					return
				}
				acknowledged[k]++
			}
		})
	}
	idle := dial(t, addr)
	idle.words("PING", "+PONG")
	full := dial(t, addr)
	if got := full.reply(); got != "-ERR max number of clients reached" {
		t.Errorf("a fourth client: got %s", got)
	}
	time.Sleep(100 * time.Millisecond)
	stop()
	wg.Wait()
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for k, n := range acknowledged {
		if n == 0 {
			t.Errorf("client %d wrote nothing", k)
		}
		for i := range n {
			if has, err := snap.Has("sets", fmt.Sprint(i), fmt.Sprint("k", k)); err != nil || !has {
				t.Fatalf("client %d: write %d of %d was acknowledged and is not there (%v)", k, i, n, err)
			}
		}
	}
}

const storedAtOnce = 1 << 17 // as package keyspace has it

// TestDropped: who drops the index of the sets drops them all; it is made anew.
func TestDropped(t *testing.T) {
	addr, db := serve(t, Options{})
	c := dial(t, addr)
	c.words("SADD s a b", ":2")
	c.words("PEXPIRE s 100000", ":1")
	if err := db.DropIndex(t.Context(), "redis"); err != nil {
		t.Fatal(err)
	}
	c.words("SCARD s", ":0")
	c.words("DBSIZE", ":0")
	c.words("SADD s c", ":1")
	c.words("TTL s", ":-1")
	c.words("SMEMBERS s", `*["c"]`)
	c.words("DBSIZE", ":1")
}

// TestEndTogether: a key ends with the times of more members than fit into a commit, and commands
// go on.
func TestEndTogether(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), &uproar.Options{MemoryBytes: 48 << 20}) // small commits
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	addr, _ := serveDB(t, db, Options{})
	c := dial(t, addr)
	const members, each = 150_000, 10_000
	for i := 0; i < members; i += each {
		add := []string{"SADD", "many"}
		for k := range each {
			add = append(add, fmt.Sprint("m", i+k))
		}
		c.want(fmt.Sprint(":", each), add...)
		c.want("*["+strings.TrimSpace(strings.Repeat(":1 ", each))+"]",
			append([]string{"SEXPIRE", "many", "100000", "MEMBERS", fmt.Sprint(each)}, add[2:]...)...)
	}
	at := fmt.Sprint(time.Now().Add(time.Second).UnixMilli())
	c.words("PEXPIREAT many "+at, ":1")
	c.words("SADD stays a", ":1")
	time.Sleep(1200 * time.Millisecond)
	c.words("SADD stays b", ":1")
	c.words("EXISTS many", ":0")
	c.words("DBSIZE", ":1")
	c.words("SADD many m0", ":1")
	c.words("STTL many MEMBERS 1 m0", "*[:-1]")
}

// TestHTTP: what a page in a browser sends is no command.
func TestHTTP(t *testing.T) {
	addr, db := serve(t, Options{})
	for _, request := range []string{"POST / HTTP/1.1\r\nX: y\r\n\r\nSADD s a\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n\r\nSADD s a\r\n"} {
		c := dial(t, addr)
		c.raw(request)
		_ = c.conn.SetReadDeadline(time.Now().Add(time.Minute))
		if got, err := io.ReadAll(c.conn); err != nil || strings.Contains(string(got), ":1") {
			t.Errorf("%q: got %q, %v, want the end", request, got, err)
		}
	}
	if n, err := db.Index("redis"); err != nil {
		t.Error(err)
	} else if stats, err := n.Stats(); err != nil || stats.Records != 0 {
		t.Errorf("got %d records, %v, want none", stats.Records, err)
	}
}
