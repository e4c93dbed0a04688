# shellcheck shell=bash
# Words, folders, locks, background jobs and the lab's processes.
# Sourced by scripts/lab.

VERSIONS=(6.1 6.8 7.1)
SITES=(6.1 6.8 7.1 6.8-plain)
# shellcheck disable=SC2034 # used by the files that are sourced with this one
PHP=php8.2

LOCK_WAIT_S=900
STOP_WAIT_S=15

say() { printf 'lab: %s\n' "$*" >&2; }

die() {
  printf 'lab: error: %s\n' "$*" >&2
  exit 2
}

require_version() {
  local known
  for known in "${VERSIONS[@]}"; do [ "$1" != "$known" ] || return 0; done
  die "unknown version: $1 (there are: ${VERSIONS[*]})"
}

# The site is one of ours, and `up` has made it.
require_site() {
  local known
  for known in "${SITES[@]}"; do
    [ "$1" = "$known" ] || continue
    [ -f "$RUN/sites/$1/site.json" ] || die "site $1 has not been made: scripts/lab up"
    return 0
  done
  die "unknown site: $1 (there are: ${SITES[*]})"
}

# LAB_DIR: downloads and lab.json. RUN: everything that runs. RUN's name is
# derived from LAB_DIR's, so that `down` finds the servers even after somebody
# removed LAB_DIR (cargo clean does) under them.
set_directories() {
  LAB_DIR=$(realpath -m -- "$1")
  RUN=/tmp/oncepress-lab.$(printf %s "$LAB_DIR" | cksum | cut -d' ' -f1)
  LOGS=$RUN/log
  DEBS=$LAB_DIR/debs
}

# The name is predictable and /tmp is everyone's: never follow what somebody
# else has put there.
make_runtime() {
  if [ -e "$RUN" ] || [ -L "$RUN" ]; then
    if [ -L "$RUN" ] || [ ! -d "$RUN" ] || [ ! -O "$RUN" ]; then
      die "$RUN exists and is not ours: remove it"
    fi
  fi
  mkdir -p "$RUN" "$LOGS" "$RUN/sites" "$DEBS"
  chmod 755 "$RUN"
}

# One `up` or `down` of a lab at a time; a second `up` waits and then finds
# everything ready. Descriptor 9 is closed for the servers that we start.
take_lab_lock() {
  exec 9>"$LAB_DIR/.lock"
  flock -w "$LOCK_WAIT_S" 9 || die "another scripts/lab has held $LAB_DIR/.lock for $LOCK_WAIT_S s"
}

# --- background jobs -------------------------------------------------------

BACKGROUND=()

# run_in_background NAME COMMAND...: its output goes to a log, shown if it fails.
run_in_background() {
  local name=$1
  shift
  ("$@") >"$LOGS/$name.log" 2>&1 &
  BACKGROUND+=("$!:$name")
}

wait_for_background() {
  local job failed=()
  for job in "${BACKGROUND[@]}"; do
    wait "${job%%:*}" || failed+=("${job#*:}")
  done
  BACKGROUND=()
  [ ${#failed[@]} -gt 0 ] || return 0
  local name
  for name in "${failed[@]}"; do
    say "failed: $name; the end of $LOGS/$name.log:"
    tail -n 20 "$LOGS/$name.log" >&2
  done
  die "could not: ${failed[*]}"
}

# --- servers ---------------------------------------------------------------

# start_daemon FOLDER LOG COMMAND...: a session of its own, no descriptor and no
# environment of ours. FOLDER becomes its working folder, which is how
# lab_processes recognises it and its children later.
start_daemon() {
  local folder=$1 log=$2
  shift 2
  (
    cd "$folder" || exit
    setsid env -i PATH="$PATH" LC_ALL="$LC_ALL" "$@" </dev/null >>"$log" 2>&1 9>&- &
  )
}

# Process ids of the lab's servers below a folder. Found by what they are and
# where they work, not by pid files: those lie after a kill -9 or a reboot, and
# workers outlive a killed master and keep its port.
lab_processes() {
  local folder=$1 process
  # A folder removed under its process is shown as "FOLDER (deleted)".
  find /proc -maxdepth 2 -name cwd \( -lname "$folder" -o -lname "$folder (deleted)" -o -lname "$folder/*" \) \
    -printf '%h\n' 2>/dev/null |
    while read -r process; do
      case $(readlink "$process/exe" 2>/dev/null || true) in
        */mariadbd* | */nginx* | */php-fpm*) printf '%s\n' "${process#/proc/}" ;;
      esac
    done
}

# stop_processes FOLDER: end the servers below it, politely, then not.
stop_processes() {
  local folder=$1 signal tenths pids
  for signal in TERM KILL; do
    for ((tenths = 0; tenths < STOP_WAIT_S * 10; tenths++)); do
      mapfile -t pids < <(lab_processes "$folder")
      [ ${#pids[@]} -gt 0 ] || return 0
      # Once is enough for TERM; a KILL also catches what was being forked.
      if [ "$tenths" = 0 ] || [ "$signal" = KILL ]; then
        kill -s "$signal" "${pids[@]}" 2>/dev/null || true
      fi
      sleep 0.1
    done
  done
  die "these processes do not end: ${pids[*]}"
}
