# shellcheck shell=bash
# What comes from Debian: the servers (installed) and WordPress (downloaded
# and unpacked, never installed). Sourced by scripts/lab.

# mariadb-server-core and -client-core hold the programs without the
# distribution's service, its system database and its many helpers.
# ca-certificates and openssl are the tests' own need: certificates to trust,
# and one not to.
PACKAGES=(
  php8.2-cli php8.2-fpm php8.2-mysql php8.2-gd php8.2-xml php8.2-mbstring
  php8.2-curl php8.2-intl mariadb-server-core mariadb-client-core nginx
  ca-certificates openssl
)

# Several of WordPress's files are links into these.
WORDPRESS_PACKAGES=(
  wordpress libphp-phpmailer php-getid3 libjs-underscore libjs-jquery-ui
  libjs-cropper libjs-lodash
)

POLICY=/usr/sbin/policy-rc.d
POLICY_MARK='oncepress-lab: starts no service while it installs packages'

suite_of_version() {
  case $1 in
    6.1) echo bookworm ;;
    6.8) echo trixie ;;
    7.1) echo sid ;;
  esac
}

# A site without a theme answers its front page with nothing.
theme_of_version() {
  case $1 in
    6.1) echo twentytwentythree ;;
    *) echo twentytwentyfive ;;
  esac
}

missing_packages() {
  local package
  for package in "${PACKAGES[@]}"; do
    [ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)" = 'install ok installed' ] || echo "$package"
  done
}

# Both at once: the downloads need the network, the installation the processor.
prepare_packages_and_files() {
  local version missing
  mapfile -t missing < <(missing_packages)
  if [ ${#missing[@]} -gt 0 ]; then update_package_lists; fi
  for version in "$@"; do
    [ -f "$DEBS/$version/complete" ] || find_mirror
    run_in_background "files-$version" prepare_files "$version"
  done
  if [ ${#missing[@]} -gt 0 ]; then install_packages; fi
  wait_for_background
}

# A foreign source that can't be reached must not stop us: whether the lists
# are good enough shows when something is installed from them.
update_package_lists() {
  say "updating the package lists"
  apt-get -qq -o DPkg::Lock::Timeout=300 update >"$LOGS/apt-update.log" 2>&1 ||
    say "apt-get update complained (see $LOGS/apt-update.log); going on"
}

# The whole in a subshell, so that its EXIT trap gives the policy file back
# however it ends; and under a lock of the machine, as labs share its packages.
install_packages() {
  (
    exec 8>/run/oncepress-lab-packages.lock
    flock -w "$LOCK_WAIT_S" 8 || die "another lab is still installing packages"
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || exit 0
    say "installing ${missing[*]}"
    trap give_back_services EXIT
    hold_back_services
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
      -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
      install "${missing[@]}" >"$LOGS/apt-install.log" 2>&1 8>&- 9>&- || {
      tail -n 20 "$LOGS/apt-install.log" >&2
      die "apt-get could not install the lab's packages (see $LOGS/apt-install.log)"
    }
    disable_new_services "${missing[@]}"
  )
}

# Debian starts a server as soon as it is installed, unless policy-rc.d says
# 101. A container image often brings such a file; then there is nothing to do.
hold_back_services() {
  give_back_services
  local verdict=0
  if [ -x "$POLICY" ]; then "$POLICY" nginx start >/dev/null 2>&1 || verdict=$?; fi
  [ "$verdict" != 101 ] || return 0
  if [ -e "$POLICY" ] || [ -L "$POLICY" ]; then mv "$POLICY" "$POLICY.oncepress-saved"; fi
  printf '#!/bin/sh\n# %s\nexit 101\n' "$POLICY_MARK" >"$POLICY"
  chmod 755 "$POLICY"
}

# Also repairs what a lab killed in the middle left behind.
give_back_services() {
  if grep -qsF "$POLICY_MARK" "$POLICY"; then rm -f "$POLICY"; fi
  if [ -e "$POLICY.oncepress-saved" ] || [ -L "$POLICY.oncepress-saved" ]; then
    mv "$POLICY.oncepress-saved" "$POLICY"
  fi
}

# Under systemd a freshly installed service would start at the next boot. Only
# what we have just installed is ours to disable.
disable_new_services() {
  [ -d /run/systemd/system ] || return 0
  local package
  for package in "$@"; do
    case $package in
      nginx | php8.2-fpm) systemctl disable --now --quiet "$package" || true ;;
    esac
  done
}

# Sets MIRROR to the address this machine gets Debian from. apt itself reads
# the sources, in either form; it names only what it has a list of.
find_mirror() {
  [ -z "${MIRROR:-}" ] || return 0
  MIRROR=$(first_debian_source)
  if [ -z "$MIRROR" ]; then
    update_package_lists
    MIRROR=$(first_debian_source)
  fi
  [ -n "$MIRROR" ] || die "apt knows no source of Debian's main archive: check the machine's apt sources and 'apt-get update'"
}

first_debian_source() {
  local sources
  # shellcheck disable=SC2016 # apt's variable, not the shell's
  sources=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' 'Component: main')
  printf '%s\n' "${sources%%$'\n'*}"
}

prepare_files() {
  local version=$1 site
  [ -f "$DEBS/$version/complete" ] || download_wordpress "$version"
  for site in $(sites_of_version "$version"); do
    [ -d "$RUN/sites/$site/www" ] || unpack_site "$version" "$site"
  done
}

# apt works in a scratch folder with one source, the other suite of the same
# mirror, and never sees or changes the machine's own lists.
download_wordpress() {
  local version=$1 suite keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  suite=$(suite_of_version "$version")
  local folder=$DEBS/$version
  local scratch=$folder/apt
  rm -rf "$folder"
  mkdir -p "$scratch/sources" "$scratch/lists/partial" "$scratch/cache/archives/partial"
  {
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$MIRROR" "$suite"
    # Without the line apt tries every key that it trusts.
    [ ! -f "$keyring" ] || printf 'Signed-By: %s\n' "$keyring"
  } >"$scratch/sources/suite.sources"
  local apt=(
    apt-get -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$scratch/sources"
    -o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch/cache"
    # apt's own user can't write into a folder below somebody's home.
    -o APT::Sandbox::User=root
    # A mirror that lags behind will do: its WordPress is signed all the same.
    -o Acquire::Check-Valid-Until=false
    -o Acquire::Languages=none -o Acquire::Retries=3
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -o APT::Update::Error-Mode=any
  )
  "${apt[@]}" update
  (cd "$folder" && "${apt[@]}" download "${WORDPRESS_PACKAGES[@]}" \
    "wordpress-theme-$(theme_of_version "$version")")
  rm -rf "$scratch"
  touch "$folder/complete"
}

# Unpacks to a folder of another name and renames it, so that a folder with the
# right name is whole.
unpack_site() {
  local version=$1 site=$2 package
  local home=$RUN/sites/$site
  local root=$home/unpacked docroot
  docroot=$home/www.partial$(site_base "$site")
  rm -rf "$root" "$home/www.partial"
  mkdir -p "$root" "$docroot"
  for package in "$DEBS/$version"/*.deb; do dpkg-deb -x "$package" "$root"; done
  local wordpress=$root/usr/share/wordpress
  # Links out of the package: a configuration that we don't use, and a bundle of
  # certificates, which no site here needs as all outgoing requests are blocked.
  rm -f "$wordpress/.htaccess" "$wordpress/wp-config.php"
  rm -f "$wordpress/wp-includes/certificates/ca-bundle.crt"
  touch "$wordpress/wp-includes/certificates/ca-bundle.crt"
  # The themes' links point to the place of an installed package.
  find "$root/var/lib/wordpress" -type l -delete
  cp -rL "$wordpress/." "$docroot/"
  cp -r "$root/var/lib/wordpress/wp-content/." "$docroot/wp-content/"
  # New files have no configuration yet: the site is to be installed anew.
  rm -rf "$root" "$home/site.json"
  mv "$home/www.partial" "$home/www"
}
