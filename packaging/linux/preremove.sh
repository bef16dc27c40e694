#!/bin/sh
# Stops the server before the package goes. An upgrade ($1 is "upgrade", or 1) leaves it to the new package. The
# database in /var/lib/uproar stays.
set -e
case "${1:-0}" in upgrade | 1) exit 0 ;; esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now uproar.service uproar.socket || true
fi
