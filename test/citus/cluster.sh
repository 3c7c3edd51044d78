#!/bin/bash
# test/citus/cluster.sh start SOURCE [DIR] | up [DIR] | stop [DIR]
# Builds Citus from a source tree (13.2) against Debian's PostgreSQL 15, and starts a coordinator and two workers on loopback, in DIR.
# Prints the CITUS_URL for `npm run test:citus`. As root: it installs what is missing, and runs PostgreSQL as the user postgres.
set -euo pipefail
BIN=/usr/lib/postgresql/15/bin
PORTS=(9700 9701 9702)

as_postgres() { (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups env HOME=/tmp "$@"); }
query() { as_postgres psql -qXAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$1" -d postgres -c "$2"; }

build() {
  apt-get install -y -qq --no-install-recommends postgresql-15 postgresql-server-dev-15 build-essential \
    liblz4-dev libzstd-dev libssl-dev libkrb5-dev libselinux1-dev libpam0g-dev libxslt1-dev libreadline-dev >/dev/null
  cd "$1"
  [ -f Makefile.global ] || ./configure --without-libcurl PG_CONFIG=$BIN/pg_config >/dev/null
  # PostgreSQL 15.19 and later has a function of the same name, so that of Citus is renamed.
  if grep -q have_createdb_privilege "$($BIN/pg_config --includedir-server)/commands/dbcommands.h"; then
    sed -i 's/^have_createdb_privilege(void)$/citus_&/' src/include/pg_version_compat.h
  fi
  nice make -s -j1 extension >/dev/null
  make -s install-extension >/dev/null
}

start() {
  local dir=$2
  [ -f "$($BIN/pg_config --sharedir)/extension/citus.control" ] || build "$1"
  mkdir -p "$dir" && chown postgres "$dir"
  for port in "${PORTS[@]}"; do
    as_postgres $BIN/initdb -D "$dir/$port" -A trust --no-sync >/dev/null
    cat >> "$dir/$port/postgresql.conf" <<CONF
shared_preload_libraries = 'citus'
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 400
max_prepared_transactions = 400
shared_buffers = 64MB
fsync = off
citus.shard_count = 4
citus.recover_2pc_interval = 2s
citus.enable_statistics_collection = off
citus.max_cached_conns_per_worker = 1
CONF
    as_postgres $BIN/pg_ctl -w -D "$dir/$port" -l "$dir/$port.log" start >/dev/null
    query "$port" 'create extension citus'
  done
  query 9700 "select citus_set_coordinator_host('127.0.0.1', 9700)"
  for port in "${PORTS[@]:1}"; do query 9700 "select citus_add_node('127.0.0.1', $port)" >/dev/null; done
  echo "export CITUS_URL=postgres://postgres@127.0.0.1:9700/postgres"
}

# Starts the servers that are not running.
up() {
  for port in "${PORTS[@]}"; do
    as_postgres $BIN/pg_ctl -D "$1/$port" status >/dev/null || as_postgres $BIN/pg_ctl -w -D "$1/$port" -l "$1/$port.log" start >/dev/null
  done
}

stop() {
  for port in "${PORTS[@]}"; do as_postgres $BIN/pg_ctl -D "$1/$port" -m fast stop >/dev/null || true; done
}

case "${1:-}" in
  start) start "$(realpath "$2")" "${3:-/var/tmp/semana-citus}" ;;
  up) up "${2:-/var/tmp/semana-citus}" ;;
  stop) stop "${2:-/var/tmp/semana-citus}" ;;
  *) sed -n '2,4p' "$0"; exit 2 ;;
esac
