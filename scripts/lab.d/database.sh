# shellcheck shell=bash
# One MariaDB for all sites of a lab: its own data folder, a unix socket and no
# network. Sourced by scripts/lab.

DATABASE_WAIT_S=60

database_socket() { echo "$RUN/db/mysql.sock"; }

# MariaDB refuses to run as root. Only the package with the service, which we
# don't need, makes a user of its own.
database_user() { id -un mysql 2>/dev/null || echo www-data; }

# database_query DATABASE SQL. --no-defaults: a .my.cnf of the user must not
# send us to another server.
database_query() {
  mariadb --no-defaults --socket="$(database_socket)" --user=root --batch --skip-column-names \
    --default-character-set=utf8mb4 "$1" --execute "$2"
}

database_answers() { database_query mysql 'SELECT 1' >/dev/null 2>&1; }

start_database() {
  if [ -f "$RUN/db/complete" ]; then
    if database_answers; then return 0; fi
    if launch_database; then return 0; fi
    say "the database does not start any more (see $RUN/db/error.log); making a new one"
  fi
  stop_processes "$RUN/db"
  # What the sites remember of their databases goes with them.
  rm -rf "$RUN/db" "$RUN"/sites/*/site.json
  create_database
  launch_database || {
    tail -n 20 "$RUN/db/error.log" >&2 || true
    die "mariadbd does not start"
  }
  database_query mysql "CREATE USER 'wordpress'@'localhost' IDENTIFIED BY 'wordpress'"
  touch "$RUN/db/complete"
}

create_database() {
  local user
  user=$(database_user)
  mkdir -p "$RUN/db/data"
  sed -e "s|@USER@|$user|g" -e "s|@HOME@|$RUN/db|g" "$LAB_SOURCE/my.cnf.in" >"$RUN/db/my.cnf"
  chown -R "$user:" "$RUN/db"
  # root comes in by being root; there is no password to keep. A bare machine may not
  # even know "localhost" by name, and nothing here needs it to.
  mariadb-install-db --defaults-file="$RUN/db/my.cnf" --skip-test-db \
    --force --skip-name-resolve \
    --auth-root-authentication-method=socket --auth-root-socket-user=root \
    >"$LOGS/mariadb-install-db.log" 2>&1 || {
    tail -n 20 "$LOGS/mariadb-install-db.log" >&2
    die "mariadb-install-db failed"
  }
}

# Fails when the server ends or does not answer in time.
launch_database() {
  local tenths pids
  stop_processes "$RUN/db"
  start_daemon "$RUN/db" "$RUN/db/error.log" mariadbd --defaults-file="$RUN/db/my.cnf"
  for ((tenths = 0; tenths < DATABASE_WAIT_S * 10; tenths++)); do
    sleep 0.1
    if database_answers; then return 0; fi
    mapfile -t pids < <(lab_processes "$RUN/db")
    # The first second belongs to the start of the process itself.
    if [ ${#pids[@]} = 0 ] && [ "$tenths" -gt 10 ]; then return 1; fi
  done
  return 1
}
