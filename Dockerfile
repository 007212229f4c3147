# syntax=docker/dockerfile:1
# Afterword in a container: builds from a checkout, runs without privileges, keeps all data in /data.
#
#   docker build -t afterword .
#   docker run -p 8080:8080 -v afterword:/data afterword
#   docker exec <container> afterword site add example.com
#
# With ClickHouse servers of its own it needs no engine inside, and is some 500 MB smaller:
#   docker build --build-arg ENGINE=remote -t afterword .

# The engine inside is made for glibc: no Alpine.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE} AS dependencies
WORKDIR /app
ARG ENGINE=embedded
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    # Not by --omit=optional: what sharp is for this machine is optional, too.
    && if [ "$ENGINE" = remote ]; then rm -rf node_modules/chdb node_modules/@chdb; fi

FROM ${NODE}
LABEL org.opencontainers.image.title="Afterword" org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
# The demonstration newspaper: docker run -p 8080:8080 -p 8090:8090 --entrypoint afterword-demo afterword --host 0.0.0.0
COPY --from=build /app/demo/articles/articles.jsonl.gz /app/demo/articles/README.md ./demo/articles/
COPY --from=build /app/demo/paper/static ./demo/paper/static
RUN ln -s /app/dist/server/main.js /usr/local/bin/afterword \
    && ln -s /app/dist/server/demo.js /usr/local/bin/afterword-demo \
    && chmod +x dist/server/main.js dist/server/demo.js \
    && install -d -o node -g node -m 700 /data
ENV NODE_ENV=production \
    AFTERWORD_DATA=/data \
    AFTERWORD_HOST=0.0.0.0 \
    AFTERWORD_PORT=8080 \
    AFTERWORD_LOG_FORMAT=json
# By its number (that of node): Kubernetes checks numbers alone where a container must not run as root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# Alive, not ready: a server that waits for its database must not be killed for it. A balancer asks /readyz.
# The server says which port it listens on.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["afterword", "health"]
# It answers SIGTERM itself: finishes, writes what waits, lets the data go. Give it the time: docker stop --time 30.
STOPSIGNAL SIGTERM
ENTRYPOINT ["afterword"]
CMD ["serve"]
