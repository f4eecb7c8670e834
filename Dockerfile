# `docker build -t echis .`, then `docker run --rm -v "$PWD:/work" echis verify program.vpr`
FROM rust:1.90-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo build --profile dist --locked -p echis_cli --features object-store

FROM debian:bookworm-slim
COPY --from=build /src/target/dist/echis /usr/local/bin/echis
# Where Z3 is unpacked and verdicts are kept.
ENV XDG_CACHE_HOME=/var/cache
WORKDIR /work
ENTRYPOINT ["echis"]
CMD ["--help"]
