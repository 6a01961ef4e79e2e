# For Linux hosts and for demos. Not for the Mac that runs Cowork: Docker Desktop keeps a virtual machine of its own
# there, and the memory that it holds is memory that the app's governor then closes sessions for. `make run` needs none.
#
#   docker build -t seatwatch .
#   docker run --rm -p 127.0.0.1:8585:8585 -e SEATWATCH_DEMO=1 seatwatch
#   docker run -d -p 127.0.0.1:8585:8585 -e SEATWATCH_TZ=Asia/Tokyo --read-only --cap-drop ALL \
#     -v "$HOME/.config/Claude/logs:/logs:ro" -v seatwatch:/data --user "$(id -u)" --name seatwatch seatwatch
#
# `docker logs seatwatch` shows the address with its token: from inside, a container cannot tell this machine from
# others. Name the zone: a container keeps UTC, and the logs carry the host's wall time. The logs must be readable for
# the container's user, hence --user. Of the host it sees nothing but the logs, so it does not probe.

FROM python:3.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# Without pip in it: what runs has no need to install anything.
RUN python3 -m venv --without-pip /opt/seatwatch && python3 -m venv /opt/pip
WORKDIR /src
# The libraries first: they stay as they are while the code changes.
COPY requirements.txt ./
RUN /opt/pip/bin/pip --python /opt/seatwatch/bin/python install --require-hashes -r requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY migrations migrations
COPY static static
COPY templates templates
COPY app app
RUN /opt/pip/bin/pip --python /opt/seatwatch/bin/python install --no-deps --no-build-isolation .

FROM python:3.13-slim-bookworm
# World-writable with the sticky bit, as /tmp is: the user may be any, see --user above.
RUN mkdir -m 1777 /data && mkdir /logs
COPY --from=build /opt/seatwatch /opt/seatwatch
# Poll: no change events cross a bind mount of Docker Desktop or a network mount, and no error says so.
# All that is written goes to /data: database, token, settings, and the demo's logs.
ENV PATH=/opt/seatwatch/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    TMPDIR=/data \
    XDG_CONFIG_HOME=/data \
    SEATWATCH_HOST=0.0.0.0 \
    SEATWATCH_LOGS=/logs \
    SEATWATCH_DB=/data/seatwatch.sqlite \
    SEATWATCH_NO_OPEN=1 \
    SEATWATCH_PROBES=0 \
    SEATWATCH_POLL=1
USER 10001
VOLUME /data
EXPOSE 8585
# 401 is an answer too: who checks has no token, and wants to know only whether it lives.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python3", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8585, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status not in (200, 401))"]
CMD ["seatwatch", "serve"]
