#!/bin/sh
# Makes the server's user, and says what to do next. The server is not started by itself.
set -e
if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers /usr/lib/sysusers.d/uproar.conf
elif ! id uproar >/dev/null 2>&1; then
	if command -v useradd >/dev/null; then
		useradd --system --user-group --no-create-home --home-dir /var/lib/uproar --shell /usr/sbin/nologin uproar
	else
		adduser -S -D -H -h /var/lib/uproar -s /sbin/nologin uproar
	fi
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart uproar.service # of an upgrade: the socket stays open, and clients wait
fi
echo "Uproar is installed. Start it: systemctl enable --now uproar.service"
