// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/replica"
)

// limited returns a context in which queries may read as much as the server lets them.
func (s *Server) limited(ctx context.Context) context.Context {
	if s.opts.MaxQueryBytes > 0 {
		return uproar.LimitQueries(ctx, s.opts.MaxQueryBytes)
	}
	return ctx
}

// respond answers a request that came at start, in a limited context: it finds its endpoint, looks
// whether it may be answered, reads its body, waits for its turn, and appends the reply to dst.
// at is the route of its path, if the transport has found it. Whatever goes wrong is in the
// response.
func (s *Server) respond(parent context.Context, c *call.Request, at *route, start time.Time, dst []byte) response {
	e, allow := s.routes.find(c.Method, c.Path, at)
	if e.observed != nil {
		e.observed.inFlight.Inc()
		defer e.observed.inFlight.Dec()
	}
	c.ID = s.ids.of(c)
	parent, step := beginTrace(parent, e, c)
	ctx := newRequestContext(parent, start, s.opts.Timeout)
	ctx.id = c.ID
	defer ctx.end()
	ctx.charge = charge{of: s.memory, ctx: ctx, whole: e.errorFormat != nil && e.errorFormat.Whole}
	var body admitted
	defer func() { s.leave(body) }() // the log of slow requests has read it
	token, r := s.answer(ctx, e, c, allow, &body, dst)
	if e.errorFormat == nil || !e.errorFormat.Plain {
		s.encoders.encode(c, &r, len(dst))
	}
	if err := ctx.charge.built(cap(r.body)); err != nil { // it grew without having asked
		r = s.fail(ctx, e, err, dst)
	}
	r.charge = &ctx.charge
	if s.copy != nil && r.passed == nil {
		st := s.copy.Status()
		r.copied, r.position, r.age = true, st.Object, st.Age
	}
	s.shareable(c, &r)
	if r.preflight == "" {
		r.allow = allow
	}
	r.id = c.ID
	took := time.Since(start)
	if e.observed != nil {
		e.observed.observe(&r, len(c.Body), len(r.body)-len(dst), took)
	}
	s.noteSlow(e, c, r.status, took)
	s.logRequest(ctx, e, c, token, &r, took, len(r.body)-len(dst))
	if step != nil {
		endTrace(step, e, c, &r, len(r.body)-len(dst))
	}
	if r.stream != nil {
		watchStream(ctx, s.opts.Logger, e, &r, start, step)
	}
	return r
}

// beginTrace begins the span of a request, if somebody traces.
func beginTrace(ctx context.Context, e *bound, c *call.Request) (context.Context, *trace.Step) {
	if !trace.On() {
		return ctx, nil
	}
	name := maskedWord(c.Method) // what there is no call for has no path
	if e.Path != "" {
		name += " " + e.Path
	}
	return trace.Answer(ctx, name, c.Header)
}

// endTrace ends the span of a request, unless a stream follows. It says no parameters: these are
// the client's data.
func endTrace(step *trace.Step, e *bound, c *call.Request, r *response, size int) {
	step.Text("http.request.method", maskedWord(c.Method))
	step.Text("http.route", e.Path)
	step.Text("url.path", maskedPath(c.Path))
	step.Text("uproar.endpoint", e.Name)
	step.Text("uproar.request_id", c.ID)
	step.Int("http.response.status_code", int64(r.status))
	step.Int("http.response.body.size", int64(size))
	var err error
	if r.code != "" {
		step.Text("error.type", string(r.code))
	}
	if r.status >= 500 {
		err = errors.New(string(r.code))
	}
	if r.stream == nil {
		step.End(err)
	}
}

// watchStream has the log, the figures and the trace hear of the end of an answer's stream. What
// goes wrong in it can be told to no client: the connection breaks off.
func watchStream(ctx context.Context, log *slog.Logger, e *bound, r *response, start time.Time, step *trace.Step) {
	fields := append(traceOf(ctx), slog.String("request_id", r.id), slog.String("endpoint", e.Name))
	r.stream = &watchedStream{ReadCloser: r.stream, ended: func(bytes int64, err error) {
		step.Int("uproar.stream_bytes", bytes)
		step.End(err)
		if e.Path == backupPath { // which says by itself what became of it
			return
		}
		if e.observed != nil {
			e.observed.sent.Add(float64(bytes))
		}
		fields = append(fields, slog.Int64("bytes", bytes), slog.Duration("took", time.Since(start)))
		if err == nil {
			log.LogAttrs(context.Background(), slog.LevelDebug, "stream sent", fields...)
			return
		}
		failed, level := call.Failure(err), slog.LevelWarn
		if failed.Code == api.CodeInternal {
			level = slog.LevelError
		}
		if e.observed != nil {
			e.observed.all.errors.WithLabelValues(e.Name, string(failed.Code)).Inc()
		}
		fields = append(fields, slog.Any("error", err))
		if p, ok := errors.AsType[*call.Panicked](err); ok {
			fields = append(fields, slog.String("stack", string(p.Stack)))
		}
		log.LogAttrs(context.Background(), level, "stream broken off", fields...)
	}}
}

// answer checks the caller and its token, waits for a turn, and answers the call. token is the name
// of the token. methods are those of the path, if the method of the call is not one of them. body
// is to be left when the call has been answered.
func (s *Server) answer(ctx *requestContext, e *bound, c *call.Request, methods string, body *admitted,
	dst []byte) (token string, r response) {
	if err := s.callers.check(e.access, c); err != nil {
		return "", s.fail(ctx, e, err, dst)
	}
	if r, ok := s.preflight(ctx, e, c, methods, dst); ok {
		return "", r
	}
	token, err := s.opts.Tokens.allow(e.access, c)
	if err != nil {
		return token, s.fail(ctx, e, err, dst)
	}
	location := ""
	if s.copy != nil {
		location, err = s.copy.Admit(ctx, c, e.writes, e.ofServer)
		if err != nil {
			return token, s.fail(ctx, e, err, dst)
		}
		if location != "" && !s.copy.Proxies() {
			return token, response{status: 307, contentType: call.ContentJSON, location: location,
				body: append(dst, "{}\n"...)}
		}
	}
	if e.Method == "POST" && !e.streams {
		*body = s.receive(ctx, c)
	}
	if !e.always {
		if err := s.limiter.take(ctx); err != nil {
			return token, s.fail(ctx, e, err, dst)
		}
		defer s.limiter.give()
	}
	if location != "" {
		return token, s.pass(ctx, e, c, location, dst)
	}
	return token, s.run(uproar.WithGrow(ctx, ctx.charge.grow), e, *c, dst)
}

// logRequest logs a request that was answered in some time with some bytes, if it is to be logged.
// Of a slow one it logs the beginning of the body, too, which has the question.
func (s *Server) logRequest(ctx context.Context, e *bound, c *call.Request, token string, r *response,
	took time.Duration, size int) {
	level, message := slog.LevelDebug, "request"
	slow := s.opts.Requests.Slow > 0 && took >= s.opts.Requests.Slow
	if n := s.opts.Requests.Every; slow {
		level, message = slog.LevelWarn, "slow request"
	} else if n > 0 && (s.asked.Add(1)-1)%uint64(n) == 0 {
		level = slog.LevelInfo
	}
	if !s.opts.Logger.Enabled(ctx, level) {
		return
	}
	known := e != s.routes.unknown && e != s.routes.outside
	path := maskedPath(c.Path)
	if known {
		path = call.Cut(c.Path, maxLogged)
	}
	fields := append(traceOf(ctx), slog.String("request_id", c.ID),
		slog.String("method", maskedWord(c.Method)), slog.String("path", path), slog.String("endpoint", e.Name),
		slog.String("query", masked(c.Query)), slog.String("remote", c.Remote()),
		slog.String("token", token), slog.Int("status", r.status), slog.Int("bytes", size),
		slog.Duration("took", took))
	if slow && known && c.ContentType == call.ContentJSON && len(c.Body) > 0 {
		fields = append(fields, slog.String("body", call.Cut(string(c.Body), maxLogged)))
	}
	s.opts.Logger.LogAttrs(ctx, level, message, fields...)
}

// noteSlow remembers a call that was answered in some time, if that is long. Imports, backups and
// requests that wait for something to happen take as long as they take.
func (s *Server) noteSlow(e *bound, c *call.Request, status int, took time.Duration) {
	if took < s.slow.least || e.patient || e.Path == "" {
		return
	}
	r := api.SlowRequest{Time: time.Now().UTC(), Method: c.Method, Path: call.Cut(c.Path, maxLogged),
		Query: masked(c.Query), Status: status, TookMicros: took.Microseconds()}
	if c.ContentType == call.ContentJSON {
		r.Body = call.Cut(string(c.Body), maxLogged)
	}
	s.slow.note(r)
}

// run answers a call, and appends the body of the answer to dst. It never panics.
func (s *Server) run(ctx context.Context, e *bound, c call.Request, dst []byte) response {
	contentType := call.ContentJSON
	if e.errorFormat != nil {
		contentType = e.errorFormat.ContentType
	}
	r, err := try(ctx, e.Handle, c, dst)
	if err != nil {
		if s.copy != nil && e.writes {
			err = s.copy.Refused(ctx, err)
		}
		return s.fail(ctx, e, err, dst)
	}
	if r.contentType == "" {
		r.contentType, r.body = contentType, append(r.body, '\n')
	}
	return r
}

// fail appends what an error is answered with to dst.
func (s *Server) fail(ctx context.Context, e *bound, err error, dst []byte) response {
	failed := call.Failure(err)
	if failed.Code == api.CodeInternal {
		if failed.RequestID = requestID(ctx); failed.RequestID == "" {
			failed.RequestID = s.ids.next()
		}
		attrs := append(traceOf(ctx), slog.String("request_id", failed.RequestID), slog.String("endpoint", e.Name),
			slog.Any("error", err))
		if p, ok := err.(*call.Panicked); ok {
			attrs = append(attrs, slog.String("stack", string(p.Stack)))
		}
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
	}
	if isDisk(failed) && e.Name != "readyz" {
		s.diskFailed(ctx, e, failed, err)
	}
	if e.errorFormat != nil {
		body, status := e.errorFormat.Fail(dst, failed, err)
		return response{status: status, code: failed.Code, contentType: e.errorFormat.ContentType,
			body: append(body, '\n')}
	}
	body := api.ErrorReply{Error: *failed}.AppendJSON(dst)
	return response{status: failed.Code.Status(), code: failed.Code, contentType: call.ContentJSON, body: append(body,
		'\n')}
}

// try calls a handler. The response has no content type if its body is the JSON of a reply.
func try(ctx context.Context, handle call.Handler, c call.Request, dst []byte) (r response, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &call.Panicked{Value: value, Stack: debug.Stack()}
		}
	}()
	reply, err := handle(ctx, c)
	if err != nil {
		return response{}, err
	}
	switch reply := reply.(type) {
	case call.Source:
		body, err := reply.Append(dst)
		return response{status: 200, body: body, fields: reply.Fields()}, err
	case call.Text:
		return response{status: cmp.Or(reply.Status, 200), contentType: reply.ContentType,
			fields: reply.Fields, body: append(dst, reply.Body...)}, nil
	case call.Streamed:
		return response{status: 200, contentType: reply.ContentType, body: dst, stream: reply.Stream}, nil
	default:
		return response{status: 200, body: reply.AppendJSON(dst)}, nil
	}
}

// preflight tells a browser whether a page may send a request with one of a path's methods. handled
// is false if the request does not ask that. It needs no token, because browsers send none with it.
// The callers have been checked.
func (s *Server) preflight(ctx context.Context, e *bound, c *call.Request, methods string, dst []byte) (r response,
	handled bool) {
	if c.Method != "OPTIONS" || methods == "" || !s.callers.origins.some() ||
		c.Transport.Header("Access-Control-Request-Method") == "" {
		return r, false
	}
	origin := c.Transport.Header("Origin")
	if _, ok := s.callers.origins.allow(origin); !ok {
		err := &api.Error{Code: api.CodeForbidden, Message: "Origin is " + call.Quote(origin) +
			": this server takes requests from pages of sites given by --cors (Options.Origins) only"}
		return s.fail(ctx, e, err, dst), true
	}
	return response{status: 204, body: dst, preflight: methods}, true
}

// shareable says in an answer which pages may read it.
func (s *Server) shareable(c *call.Request, r *response) {
	if !s.callers.origins.some() || c.Transport == nil {
		return
	}
	if !s.callers.origins.all || len(s.callers.origins.list) > 0 { // and not the same answer for everybody
		r.varies = "Origin"
	}
	r.origin, _ = s.callers.origins.allow(c.Transport.Header("Origin"))
}

// response is what a transport sends.
type response struct {
	status      int
	id          string   // of the request
	code        api.Code // of an error
	contentType string
	allow       string // header Allow, if any
	origin      string // whose pages may read the answer, if any
	location    string // header Location, if any
	preflight   string // methods that they may use, of an answer to that question
	coding      string // header Content-Encoding, if any
	varies      string // header Vary, if any: the fields of the request that chose the answer
	copied      bool   // by one of several copies, which was at a position of that age
	position    uint64
	age         time.Duration
	passed      [][2]string // fields of the copy that has answered instead, if one has
	fields      [][2]string // other fields of the header
	body        []byte
	charge      *charge       // memory of the body; sent is called when it was sent
	stream      io.ReadCloser // instead of a body, if not nil: sent until its end; the transport closes it
}

// headers gives set the headers of a response, except those about its body.
func (r *response) headers(set func(name, value string)) {
	set("X-Content-Type-Options", "nosniff")
	if r.id != "" {
		set(requestIDField, r.id)
	}
	if r.copied {
		set(replica.Position, strconv.FormatUint(r.position, 10))
		set(replica.Age, strconv.FormatInt(r.age.Milliseconds(), 10))
	}
	for _, field := range r.passed {
		set(field[0], field[1])
	}
	for _, field := range r.fields {
		set(field[0], field[1])
	}
	if r.location != "" {
		set("Location", r.location)
	}
	if r.allow != "" {
		set("Allow", r.allow)
	}
	if r.coding != "" {
		set("Content-Encoding", r.coding)
	}
	if r.varies != "" {
		set("Vary", r.varies)
	}
	if r.origin != "" {
		set("Access-Control-Allow-Origin", r.origin)
		if r.preflight == "" {
			set("Access-Control-Expose-Headers", "Allow, Retry-After, WWW-Authenticate, X-Request-Id, "+
				replica.Position+", "+replica.Age)
		}
	}
	if r.preflight != "" {
		set("Access-Control-Allow-Methods", r.preflight)
		set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, Last-Event-ID, "+
			"X-Request-Id, Traceparent, Tracestate, "+
			replica.AtLeast+", "+replica.MaxAge)
		set("Access-Control-Max-Age", "7200")
	}
	switch r.status {
	case 401:
		set("WWW-Authenticate", `Bearer realm="uproar"`)
	case 429, 503:
		set("Retry-After", "1")
	}
}
