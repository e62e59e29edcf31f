# The digest is that of all platforms. `docker buildx imagetools inspect node:24-slim` prints the current one.
ARG NODE_IMAGE=node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# Builds dist/, which is the same on each platform, with everything that takes. No package needs its install script
# here: binaries come inside packages.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY packages packages
COPY src src
RUN npm run build

# Only what runs in production.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
# The code belongs to root: the service cannot change it.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# The service reads its version from the one and serves the other.
COPY package.json ./
COPY openapi.json ./
COPY docs/api.md docs/api.md
# Like /tmp, so that any user (`--user 568:568`) can write to a new volume, which gets this mode. What the service
# creates is readable by its user alone.
RUN install -d -o node -g node -m 1777 /data
VOLUME /data
USER node
EXPOSE 5100
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "dist/health-check.js"]
# Without npm in between, so that SIGTERM reaches the service.
# The options are those of `npm start`; docs/decisions/0026 has their figures.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1024", "--v8-pool-size=1", "dist/main.js"]
# At the end: a new commit uses the layers above again.
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Sealpush" \
  org.opencontainers.image.description="Self-hosted service for sharing secrets by links that expire" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="3.0.0" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.created="$CREATED"
