# Builds dist/ with everything that takes. No package needs its install script here: binaries come inside packages.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

# Only what runs in production.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /app
# The code belongs to root: the service cannot change it.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
# The service reads its version from the one and serves the other.
COPY package.json ./
COPY openapi.json ./
COPY docs/api.md docs/api.md
RUN install -d -o node -g node -m 700 /data
VOLUME /data
USER node
EXPOSE 5100
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "dist/health-check.js"]
# Without npm in between, so that SIGTERM reaches the service.
# The options are those of `npm start`; docs/decisions/0026 has their figures.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1024", "--v8-pool-size=1", "dist/main.js"]
