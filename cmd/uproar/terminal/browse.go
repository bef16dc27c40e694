// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"context"
	"os/exec"
	"runtime"
)

// Browse opens an address in the browser of the desktop. It does so only when somebody reads the
// output on a terminal, and has a display beside it; env has the environment. It reports whether a
// browser was asked, and does not wait for it.
func (c *Console) Browse(ctx context.Context, env func(string) string, address string) bool {
	command := browser(runtime.GOOS, env)
	if !c.Tables || command == nil {
		return false
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], address)...)
	if cmd.Start() != nil {
		return false
	}
	go func() { _ = cmd.Wait() }() // it ends at once, or with the browser
	return true
}

// browser returns the command that opens an address, nil where there is no desktop.
func browser(system string, env func(string) string) []string {
	switch {
	case env("SSH_CONNECTION") != "" || env("CI") != "": // the display is somebody else's
		return nil
	case system == "darwin":
		return []string{"open"}
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open"}
	}
	return nil
}
