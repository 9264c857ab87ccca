#!/usr/bin/env bash
# Runs all of .ci/run in a bare Debian that has nothing but Node, npm, python3, make, g++ and git, so that a step
# which only a machine that was worked on can do is seen. What is committed is tested, not the working tree.
#   npm run fresh              everything
#   npm run fresh -- <command> this command in place of .ci/run, in the clone; `bash` to look around
# Needs root and debootstrap (apt-get install debootstrap). Takes about 20 minutes and 4 GB below $TMPDIR or /var/tmp.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
release=${DEBIAN_RELEASE:-bookworm}

if [ "$(id -u)" -ne 0 ]; then echo "npm run fresh makes a Debian of its own, so it must run as root." >&2; exit 1; fi
if ! command -v debootstrap >/dev/null; then echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; fi

debian=$(mktemp -d "${TMPDIR:-/var/tmp}/pergola-fresh-XXXXXX")
chmod 755 "$debian"
trap 'rm -rf --one-file-system "$debian"' EXIT

debootstrap --variant=minbase --include=ca-certificates,python3,make,g++,git "$release" "$debian" >"$debian.log" 2>&1 ||
  { cat "$debian.log" >&2; exit 1; }
rm -f "$debian.log"

# Node and npm as they are on this machine, with the headers that native modules are built against.
node=$(node -p process.execPath)
prefix=$(dirname "$(dirname "$node")")
modules=$(dirname "$(npm root -g)")/node_modules
mkdir -p "$debian/usr/local/bin" "$debian/usr/local/lib/node_modules" "$debian/usr/local/include" "$debian/root"
cp "$node" "$debian/usr/local/bin/node"
cp -a "$modules/npm" "$debian/usr/local/lib/node_modules/npm"
[ ! -d "$prefix/include/node" ] || cp -a "$prefix/include/node" "$debian/usr/local/include/node"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$debian/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$debian/usr/local/bin/npx"

# How this machine reaches the package registry: its settings of npm, its certificates, its resolver.
cp "${npm_config_userconfig:-$HOME/.npmrc}" "$debian/root/.npmrc" 2>/dev/null || true
sed -i '/^\(prefix\|cache\|nodedir\|cafile\)\b/d' "$debian/root/.npmrc" 2>/dev/null || true
[ ! -d "$prefix/include/node" ] || echo "nodedir=/usr/local" >>"$debian/root/.npmrc"
cp -L /etc/ssl/certs/ca-certificates.crt "$debian/etc/ssl/certs/ca-certificates.crt"
echo "cafile=/etc/ssl/certs/ca-certificates.crt" >>"$debian/root/.npmrc"
cp -L /etc/resolv.conf "$debian/etc/resolv.conf"
echo "127.0.0.1 localhost" >"$debian/etc/hosts"

# No service starts by being installed.
printf '#!/bin/sh\nexit 101\n' >"$debian/usr/sbin/policy-rc.d"
chmod +x "$debian/usr/sbin/policy-rc.d"

# Where every user may go: some tests run programs as another one.
git clone --quiet --no-hardlinks "file://$source" "$debian/srv/pergola"

# The root is changed by pivot_root: below chroot the kernel allows no user namespaces, which sandboxes need.
export debian
run='
  mount --make-rprivate /
  mount --bind "$debian" "$debian"
  mount -t proc proc "$debian/proc"
  mount --rbind /sys "$debian/sys"
  mount --rbind /dev "$debian/dev"
  cd "$debian"
  mkdir -p .old
  pivot_root . .old
  umount --lazy /.old
  rmdir /.old
  cd /srv/pergola
  # This shell stays the first process: it waits for those whose parents have ended, as an init does.
  env -i HOME=/root CI=true PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$@"
  exit $?
'
[ "$#" -gt 0 ] || set -- bash .ci/run
unshare --mount --pid --fork --kill-child bash -c "$run" fresh "$@"
