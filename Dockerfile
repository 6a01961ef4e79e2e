# For Linux hosts and for demos. Not for the Mac that runs Cowork: Docker Desktop keeps a virtual machine of its own
# there, and the memory that it holds is memory that the app's governor then closes sessions for. `make run` needs none.
#
#   docker build -t seatwatch .
#   docker run --rm -p 127.0.0.1:8585:8585 -e SEATWATCH_DEMO=1 seatwatch
#   docker run -d -p 127.0.0.1:8585:8585 -e SEATWATCH_TZ=Asia/Tokyo \
#     -v "$HOME/.config/Claude/logs:/logs:ro" -v seatwatch:/data --user "$(id -u)" seatwatch
#
# Publish the port on 127.0.0.1 as above: the page has no password. Name the zone: a container keeps UTC, and the logs
# carry the host's wall time. The logs must be readable for the container's user, hence --user.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/seatwatch
WORKDIR /src
COPY requirements.txt ./
RUN /opt/seatwatch/bin/pip install --require-hashes -r requirements.txt
COPY . .
RUN /opt/seatwatch/bin/pip install --no-deps --no-build-isolation .

FROM python:3.13-slim
# World-writable with the sticky bit, as /tmp is: the user may be any, see --user above.
RUN mkdir -m 1777 /data && mkdir /logs
COPY --from=build /opt/seatwatch /opt/seatwatch
ENV PATH=/opt/seatwatch/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SEATWATCH_HOST=0.0.0.0 \
    SEATWATCH_LOGS=/logs \
    SEATWATCH_DB=/data/seatwatch.sqlite \
    SEATWATCH_NO_OPEN=1 \
    # No change events cross a bind mount of Docker Desktop or a network mount, and no error says so: ask instead.
    WATCHFILES_FORCE_POLLING=true
USER 10001
VOLUME /data
EXPOSE 8585
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8585/healthz', timeout=4)"]
CMD ["seatwatch", "serve"]
