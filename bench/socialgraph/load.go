// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/procfs"
	"github.com/uproar-db/uproar/internal/processor"
)

// open opens the database.
func (b *bench) open(ctx context.Context) error {
	engine, err := b.opts.Open(b.opts.Dir, b.opts.Memory/2)
	if err != nil {
		return err
	}
	if b.db, err = uproar.Open(ctx, engine, &uproar.Options{MemoryBytes: b.opts.Memory / 2}); err != nil {
		return errors.Join(err, engine.Close())
	}
	b.graph, err = graph.Open(ctx, b.db)
	return err
}

func (b *bench) close() error {
	if b.db == nil {
		return nil
	}
	err := b.db.Close()
	b.db = nil
	return err
}

// load imports the network, and closes the database.
func (b *bench) load(ctx context.Context) error {
	if b.opts.Loaded {
		return nil
	}
	b.opts.Phase("loading")
	if err := b.open(ctx); err != nil {
		return err
	}
	text, end, err := b.text(ctx)
	if err != nil {
		return err
	}
	watch := b.watch()
	writing := false
	im, err := b.graph.BeginImport(ctx, graph.ImportOptions{Strict: true, Cluster: b.opts.Cluster,
		MemoryBytes: b.opts.Memory * 3 / 8, Progress: func(p graph.ImportProgress) {
			if p.Total > 0 && !writing {
				writing = true
				b.opts.Phase("writing pages")
			}
			if writing {
				b.opts.Progress(p.Done, p.Total)
			} else {
				b.opts.Progress(p.Follows, b.opts.Network.Follows)
			}
		}})
	if err != nil {
		return errors.Join(err, end())
	}
	defer im.Abort()
	_, err = im.Read(text)
	if err = errors.Join(err, end()); err != nil {
		return err
	}
	if err := errors.Join(im.Commit(), b.close()); err != nil {
		return err
	}
	b.report.Load, b.report.LoadMost = watch.end(), watch.most.Load()
	b.report.LoadWork = (processor.Time() - watch.worked).Seconds()
	return nil
}

// text returns the text of the network, and the function that ends reading it.
func (b *bench) text(ctx context.Context) (io.Reader, func() error, error) {
	if b.opts.CSV != "" {
		f, err := os.Open(b.opts.CSV)
		if err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	}
	from, to := io.Pipe()
	made := make(chan error, 1)
	go func() {
		follows := b.opts.Network.All()
		if b.opts.once {
			follows = b.opts.Network.Once()
		}
		sum, err := b.opts.Network.write(ctx, to, follows, nil)
		b.report.SHA256 = sum
		to.CloseWithError(err)
		made <- err
	}()
	return from, func() error {
		from.Close()
		if err := <-made; !errors.Is(err, io.ErrClosedPipe) {
			return err
		}
		return nil
	}, nil
}

// describe notes what is on the disk.
func (b *bench) describe() error {
	stats, err := b.graph.Index().Stats()
	if err != nil {
		return err
	}
	for _, f := range stats.Fields {
		switch f.Name {
		case graph.FollowsField, graph.FollowersField:
			b.report.Lists += int64(f.Bytes)
		case "_keys", "_hashes":
			b.report.Keys += int64(f.Bytes)
		}
	}
	all, err := b.db.Stats()
	b.report.Disk = all.Store.Total()
	return err
}

// watch measures time, and the anonymous memory of the process at most.
type watch struct {
	start  time.Time
	worked time.Duration // of the processor, until then
	stop   chan struct{}
	most   atomic.Int64
}

// watchEvery is how often the memory is looked at.
const watchEvery = 50 * time.Millisecond

func (b *bench) watch() *watch {
	w := &watch{start: time.Now(), worked: processor.Time(), stop: make(chan struct{})}
	w.most.Store(procfs.Anonymous())
	go func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
				w.most.Store(max(w.most.Load(), procfs.Anonymous()))
			}
		}
	}()
	return w
}

// end returns the time, in seconds.
func (w *watch) end() float64 {
	close(w.stop)
	return time.Since(w.start).Seconds()
}
