#!/bin/bash
# test/patroni/cluster.sh start SOURCE [DIR] | kill-leader [DIR] | stop [DIR]
# Starts etcd and three PostgreSQL 15 of Debian under Patroni, from a source tree of 3.0.3 or later, on loopback, in DIR.
# Prints the PATRONI_URL for `npm run test:patroni`. As root: it installs what is missing, and runs PostgreSQL as the user postgres.
set -euo pipefail
ETCD=127.0.0.1:23790

# Is called in the background: exec replaces its subshell, so that $! is the pid of the program.
as_postgres() { exec setpriv --reuid=postgres --regid=postgres --clear-groups env -C / HOME=/tmp "$@"; }
is_leader() { curl -sf -o /dev/null -m 2 "http://127.0.0.1:840$1/primary"; }
count_replicas() { curl -s -m 2 http://127.0.0.1:8401/cluster | grep -o '"state": "streaming"' | wc -l; }

start() {
  local source=$1 dir=$2
  apt-get install -y -qq --no-install-recommends postgresql-15 etcd-server curl python3-psycopg2 python3-yaml \
    python3-dateutil python3-prettytable python3-psutil python3-urllib3 python3-click python3-etcd >/dev/null
  mkdir -p "$dir" && chown postgres "$dir"
  as_postgres etcd --data-dir "$dir/etcd" --listen-client-urls http://$ETCD --advertise-client-urls http://$ETCD \
    --listen-peer-urls http://127.0.0.1:23800 --initial-advertise-peer-urls http://127.0.0.1:23800 \
    --initial-cluster default=http://127.0.0.1:23800 >"$dir/etcd.log" 2>&1 &
  echo $! >"$dir/etcd.pid"
  for n in 1 2 3; do
    cat >"$dir/$n.yml" <<YAML
scope: semana
name: n$n
restapi: { listen: "127.0.0.1:840$n", connect_address: "127.0.0.1:840$n" }
etcd3: { host: "$ETCD" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 300, shared_buffers: 64MB }
  initdb: [ { encoding: UTF8 }, data-checksums ]
postgresql:
  listen: "127.0.0.1:740$n"
  connect_address: "127.0.0.1:740$n"
  data_dir: $dir/data$n
  bin_dir: /usr/lib/postgresql/15/bin
  pgpass: $dir/pgpass$n
  parameters: { unix_socket_directories: "" }
  pg_hba: [ "host all all 127.0.0.1/32 scram-sha-256", "host replication replicator 127.0.0.1/32 scram-sha-256" ]
  authentication:
    superuser: { username: postgres, password: secret }
    replication: { username: replicator, password: secret }
YAML
    as_postgres python3 "$source/patroni.py" "$dir/$n.yml" >"$dir/$n.log" 2>&1 &
    echo $! >"$dir/$n.pid"
    [ $n != 1 ] || until is_leader 1; do sleep 0.5; done
  done
  until [ "$(count_replicas)" = 2 ]; do sleep 0.5; done
  echo "export PATRONI_URL=postgres://postgres:secret@127.0.0.1:7401,127.0.0.1:7402,127.0.0.1:7403/postgres"
}

# Simulates the loss of the leader's machine: kills its Patroni and its PostgreSQL, which cannot shut down in order.
kill_leader() {
  for n in 1 2 3; do
    if is_leader $n; then
      kill -9 "$(cat "$1/$n.pid")" "$(head -1 "$1/data$n/postmaster.pid")"
      rm "$1/$n.pid"
      echo "n$n"
      return
    fi
  done
  exit 1
}

stop() {
  for pid in "$1"/[123].pid "$1/etcd.pid"; do
    [ ! -f "$pid" ] || kill "$(cat "$pid")" || true
    while [ -f "$pid" ] && kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.2; done
  done
}

DIR=/var/tmp/semana-patroni
case "${1:-}" in
  start) start "$(realpath "$2")" "${3:-$DIR}" ;;
  kill-leader) kill_leader "${2:-$DIR}" ;;
  stop) stop "${2:-$DIR}" ;;
  *) sed -n '2,4p' "$0"; exit 2 ;;
esac
