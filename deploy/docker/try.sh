#!/usr/bin/env bash
# Tries the Dockerfile without an engine: runs its steps in a fresh Debian root, then what it starts, and asks it.
#
#   sudo deploy/docker/try.sh ROOT
#
# ROOT is a folder for the new root; it is made by debootstrap (Debian's package of that name) unless it is there. Its
# Python stands for that of the image. Both stages share it, so `COPY --from` has nothing to do. While it runs the root is
# mounted read-only, as with --read-only: only /data may be written.
set -euo pipefail
root=${1:?name a folder for the root}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
say() { printf '\n== %s\n' "$*"; }

if [[ ! -d $root/usr/bin ]]; then
  say "debootstrap"
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null
fi
# How this machine reaches packages is its own matter: what pip is told here is told there.
for file in /etc/resolv.conf /etc/pip.conf "${PIP_CONFIG_FILE:-}" "${PIP_CERT:-}"; do
  [[ -f $file ]] && install -D -m 644 "$file" "$root$file"
done
rm -rf "$root/opt/seatwatch" "$root/opt/pip" "$root/src" "$root/data" "$root/logs"

envs=() dir=/ user=0 stage=0
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin "${envs[@]}" /bin/sh -c "cd $dir && $1"; }
pips=()
while IFS='=' read -r name value; do pips+=("$name=$value"); done < <(env | grep -E '^(PIP_|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)' || true)

# One instruction a line: joined where a line ends with a backslash, without comments.
while read -r word rest; do
  case $word in
    FROM) stage=$((stage + 1)) dir=/ envs=(); say "stage $stage: $rest" ;;
    ENV) for pair in $rest; do envs+=("${pair//\$PATH//usr/bin:/bin}"); done ;;
    WORKDIR) dir=$rest; mkdir -p "$root$rest" ;;
    USER) user=$rest ;;
    COPY)
      [[ $rest == --from=* ]] && continue
      read -r -a parts <<<"$rest"
      for ((n = 0; n < ${#parts[@]} - 1; n++)); do
        if [[ -d $here/${parts[n]} ]]; then
          mkdir -p "$root$dir/${parts[-1]}"
          tar -C "$here/${parts[n]}" --exclude=__pycache__ -c . | tar -C "$root$dir/${parts[-1]}" -x
        else
          cp "$here/${parts[n]}" "$root$dir/"
        fi
      done ;;
    RUN)
      say "RUN $rest"
      saved=("${envs[@]}") envs+=("${pips[@]}")
      inside "$rest"
      envs=("${saved[@]}") ;;
    HEALTHCHECK) check=$rest ;;
    CMD) start=$rest ;;
  esac
done < <(sed -e '/^ *#/d' "$here/Dockerfile" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta')

say "size of what runs"
du -sh "$root/opt/seatwatch"

# JSON arrays, as the Dockerfile has them, read by JSON.
as_user() {
  exec chroot --userspec="$user:$user" "$root" /usr/bin/env -i "${envs[@]}" SEATWATCH_DEMO=1 python3 -c \
    'import json, os, sys; words = json.loads(sys.argv[1]); os.execvp(words[0], words)' "$1"
}
say "CMD $start as user $user, with made-up sessions"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/data"
mount -o remount,bind,ro "$root"
log=$root/data/out
as_user "$start" >"$log" 2>&1 &
served=$!
trap 'kill -TERM $served 2>/dev/null || true; wait $served 2>/dev/null || true
  umount "$root/data" "$root/proc" "$root"' EXIT
check=${check#*CMD }
for ((n = 0; n < 60; n++)); do
  (as_user "$check") >/dev/null 2>&1 && break
  sleep 1
done
cat "$log"
say "HEALTHCHECK"
(as_user "$check") && echo healthy
say "the root is read-only"
touch "$root/opt/written" 2>&1 || true
say "the page, with its token"
token=$(sed -n 's/.*?token=\([^ ]*\).*/\1/p' "$log")
for address in / /metrics; do
  python3 - "$token" "$address" <<'PYTHON'
import sys
from urllib.request import Request, urlopen

request = Request(f"http://127.0.0.1:8585{sys.argv[2]}", headers={"Authorization": f"Bearer {sys.argv[1]}"})
with urlopen(request, timeout=10) as answer:
    print(sys.argv[2], answer.status, len(answer.read()), "bytes")
PYTHON
done
