#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Uproar Authors
# SPDX-License-Identifier: Apache-2.0
#
# People over HTTP, to Uproar and to OpenSearch of one node, made of the jars that Maven has: bench/ownindex/opensearch.sh [PEOPLE]
set -euo pipefail
people=${1:-20000}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
servers=()
finish() {
	local status=$?
	for pid in "${servers[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" || true; done
	rm -rf "$work"
	exit "$status"
}
trap finish EXIT
version=2.19.6
cat >"$work/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>opensearch</artifactId><version>1</version>
<dependencies>
<dependency><groupId>org.opensearch</groupId><artifactId>opensearch</artifactId><version>$version</version></dependency>
<dependency><groupId>org.opensearch.plugin</groupId><artifactId>transport-netty4-client</artifactId><version>$version</version></dependency>
<dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>2.25.4</version></dependency>
</dependencies>
</project>
END
cat >"$work/One.java" <<'END'
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public class One extends Node {
  One(Settings s) {
    super(InternalSettingsPreparer.prepareEnvironment(s, Map.of(), null, () -> "one"), List.of(Netty4Plugin.class), true);
  }

  public static void main(String[] home) throws Exception {
    new One(Settings.builder().put("path.home", home[0]).put("discovery.type", "single-node").put("network.host", "127.0.0.1")
        .put("http.port", home[1]).put("cluster.routing.allocation.disk.threshold_enabled", false).build()).start();
    Thread.currentThread().join();
  }
}
END
mkdir -p "$work/home/config"
(cd "$work" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib && javac -cp 'lib/*' One.java)
port=${PORT:-9277}
java -Xms1g -Xmx1g -cp "$work:$work/lib/*" One "$work/home" "$port" >"$work/opensearch.log" 2>&1 &
servers+=($!)
(cd "$here/../.." && go build -o "$work/uproar" ./cmd/uproar)
"$work/uproar" serve --dir "$work/db" --addr "127.0.0.1:$((port + 1))" 2>"$work/uproar.log" &
servers+=($!)
for _ in $(seq 300); do
	curl -sf -o "$work/ready" "http://127.0.0.1:$port" && curl -sf -o "$work/ready" "http://127.0.0.1:$((port + 1))/readyz" && break
	sleep 0.3
done
python3 "$here/opensearch.py" "http://127.0.0.1:$((port + 1))" "http://127.0.0.1:$port" "$people"
