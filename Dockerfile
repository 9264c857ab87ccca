# Pergola as a container image. How to run it: docs/operations.md, "In a container".
FROM node:24-slim AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /pergola
COPY . .
RUN npm ci
RUN npm run build
RUN npm prune --omit=dev

FROM node:24-slim
# git for version_control; bubblewrap for the sandbox, where the container may have user namespaces; tini takes
# in the processes that programs of tools leave.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /data /config
COPY --from=build /pergola /pergola
# What is kept lies in /data; settings, and the key that opens the secrets in it, in /config/pergola.
# Whoever comes through a published port is not on this computer: it needs a token.
ENV NODE_ENV=production \
  PERGOLA_DATA=/data \
  XDG_CONFIG_HOME=/config \
  PERGOLA_SERVER_ALLOW_REMOTE=true \
  PERGOLA_SERVER_ALLOW_PLAIN_HTTP=true
VOLUME /data /config
WORKDIR /data
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "/pergola/core/dist/main.cjs"]
CMD ["start"]
