# shellcheck shell=bash
# One WordPress site: its database, its php-fpm and its nginx. Each site has
# servers of its own, so that one can be started, crashed or rebuilt while the
# others are in use. Sourced by scripts/lab.

SITE_WAIT_S=30
PORT_ATTEMPTS=5
# nginx and its worker, php-fpm and its four.
SITE_PROCESSES=7

sites_of_version() {
  echo "$1"
  if [ "$1" = 6.8 ]; then echo 6.8-plain; fi
}

# The path below the host: a sub-directory install is a case of its own, as its
# REST root is not at /wp-json/.
site_base() { if [ "$1" = 6.8-plain ]; then echo /blog; fi; }
site_docroot() { echo "$RUN/sites/$1/www$(site_base "$1")"; }
site_database() { echo "wp_${1//[.-]/_}"; }
site_url() { echo "http://127.0.0.1:$(cat "$RUN/sites/$1/port" 2>/dev/null || echo '?')$(site_base "$1")"; }

# What a site is made of. A site made by an older version of these is made anew.
site_recipe() {
  cat "$LAB_SOURCE/install.php" "$LAB_SOURCE"/*.in | sha256sum | cut -d' ' -f1
}

# REST index, application password and database work, over HTTP.
site_answers() {
  local home=$RUN/sites/$1
  [ -f "$home/port" ] && [ -f "$home/site.json" ] || return 1
  "$PHP" -n "$LAB_SOURCE/probe.php" "$(site_url "$1")" "$home/site.json"
}

ensure_site() {
  local site=$1
  local home=$RUN/sites/$site
  copy_plugins "$site"
  if [ "$(cat "$home/recipe" 2>/dev/null || true)" = "$(site_recipe)" ]; then
    # Workers go on answering after their master was killed, but not for ever.
    if site_answers "$site" && [ "$(lab_processes "$home" | wc -l)" -ge "$SITE_PROCESSES" ]; then return 0; fi
    if site_installed "$site"; then
      start_site "$site"
      return
    fi
  fi
  stop_processes "$home"
  install_site "$site"
  start_site "$site"
}

# Renamed into place, as the site may be serving requests.
copy_plugins() {
  local target plugin
  target=$(site_docroot "$1")/wp-content/mu-plugins
  mkdir -p "$target"
  for plugin in "$LAB_SOURCE"/mu-plugins/*.php; do
    cp "$plugin" "$target/.new"
    mv "$target/.new" "$target/${plugin##*/}"
  done
}

site_installed() {
  [ -f "$RUN/sites/$1/site.json" ] &&
    database_query "$(site_database "$1")" 'SELECT 1 FROM wp_options LIMIT 1' >/dev/null 2>&1
}

# site.json is written last: it means that the site is complete.
install_site() {
  local site=$1
  local home=$RUN/sites/$site docroot database
  docroot=$(site_docroot "$site")
  database=$(site_database "$site")
  rm -rf "$home/site.json" "$docroot/wp-content/uploads"
  database_query mysql "DROP DATABASE IF EXISTS $database;
    CREATE DATABASE $database CHARACTER SET utf8mb4;
    GRANT ALL ON $database.* TO 'wordpress'@'localhost'"
  sed -e "s|@DATABASE@|$database|g" -e "s|@SOCKET@|$(database_socket)|g" \
    -e "s|@BASE@|$(site_base "$site")|g" "$LAB_SOURCE/wp-config.php.in" >"$docroot/wp-config.php"
  mkdir -p "$docroot/wp-content/uploads"
  "$PHP" "$LAB_SOURCE/install.php" "$docroot" "$site" "$database" "$home/site.json.partial"
  chown -R www-data: "$docroot/wp-content/uploads"
  site_recipe >"$home/recipe"
  mv "$home/site.json.partial" "$home/site.json"
}

# WordPress makes a month's folder for its first upload, and refuses an upload that comes
# just then. The tests upload at once, so the folder is there before, also that of a month
# that begins meanwhile. The sites' clock is that of Tokyo.
make_upload_folders() {
  local uploads ahead
  uploads=$(site_docroot "$1")/wp-content/uploads
  for ahead in 0 2; do
    mkdir -p "$uploads/$(TZ=UTC-9 date -d "+$ahead days" +%Y/%m)"
  done
  chown -R www-data: "$uploads"
}

# Somebody else may take the free port before nginx does: then try another. A
# site that has its port and does not answer won't do so on another either.
start_site() {
  local site=$1 attempt
  local home=$RUN/sites/$site
  mkdir -p "$home/log" "$home/tmp"
  # PHP writes its log as www-data, into a folder that is root's.
  touch "$home/log/php.log"
  chown www-data: "$home/log/php.log"
  make_upload_folders "$site"
  for ((attempt = 0; attempt < PORT_ATTEMPTS; attempt++)); do
    stop_processes "$home"
    free_port >"$home/port"
    fill_template fpm.conf.in "$site" >"$home/fpm.conf"
    fill_template nginx.conf.in "$site" >"$home/nginx.conf"
    # What opcache must know before there is a pool can't be set in the pool.
    start_daemon "$home" "$home/log/fpm.log" php-fpm8.2 --nodaemonize --fpm-config "$home/fpm.conf" \
      -d opcache.memory_consumption=128 -d opcache.max_accelerated_files=10000
    start_daemon "$home" "$home/log/nginx.log" nginx -c "$home/nginx.conf"
    if wait_for_site "$site"; then return 0; fi
    if nginx_runs "$site"; then break; fi
  done
  tail -n 5 "$home"/log/*.log >&2
  die "site $site does not answer (see $home/log)"
}

fill_template() {
  local site=$2
  local home=$RUN/sites/$site
  sed -e "s|@SITE@|$site|g" -e "s|@HOME@|$home|g" -e "s|@BASE@|$(site_base "$site")|g" \
    -e "s|@PORT@|$(cat "$home/port")|g" "$LAB_SOURCE/$1"
}

free_port() {
  # shellcheck disable=SC2016 # PHP's variables, not the shell's
  "$PHP" -n -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo substr(strrchr(stream_socket_get_name($s, false), ":"), 1);'
}

# Fails early when nginx has given up, as it does when the port is taken.
wait_for_site() {
  local site=$1 tenths
  for ((tenths = 0; tenths < SITE_WAIT_S * 10; tenths++)); do
    if site_answers "$site"; then return 0; fi
    sleep 0.1
    # The first second belongs to the start of the process itself.
    if [ "$tenths" -gt 10 ] && ! nginx_runs "$site"; then return 1; fi
  done
  return 1
}

nginx_runs() {
  local pid
  for pid in $(lab_processes "$RUN/sites/$1"); do
    case $(readlink "/proc/$pid/exe" || true) in */nginx*) return 0 ;; esac
  done
  return 1
}

# Names every site of this lab that is up, also those that this `up` did not ask
# for. Renamed into place: who finds the file finds all of it.
write_lab_json() {
  local site ready=()
  for site in "${SITES[@]}"; do
    if site_answers "$site" 2>/dev/null; then
      ready+=("$RUN/sites/$site/site.json" "$(site_url "$site")")
    fi
  done
  "$PHP" -n "$LAB_SOURCE/lab-json.php" "$(database_socket)" "${ready[@]}" >"$LAB_DIR/lab.json.partial"
  mv "$LAB_DIR/lab.json.partial" "$LAB_DIR/lab.json"
}

# Rows are deleted, not truncated: ids go on growing, so that a post of today
# never has the id of one of yesterday.
empty_site() {
  local site=$1
  database_query "$(site_database "$site")" "
    DELETE FROM wp_posts; DELETE FROM wp_postmeta;
    DELETE FROM wp_comments; DELETE FROM wp_commentmeta;
    DELETE FROM wp_term_relationships;
    DELETE t, x FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id)
      WHERE x.taxonomy IN ('category', 'post_tag')
      AND term_id <> (SELECT option_value FROM wp_options WHERE option_name = 'default_category');
    DELETE FROM wp_termmeta WHERE term_id NOT IN (SELECT term_id FROM wp_terms);
    UPDATE wp_term_taxonomy SET count = 0;
    DELETE FROM wp_options WHERE option_name IN ('category_children', 'sticky_posts')"
  find "$(site_docroot "$site")/wp-content/uploads" -mindepth 1 -delete
  make_upload_folders "$site"
}
