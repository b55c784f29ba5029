# A small image: the program, the C library, a font for names, and nothing else.
#
#   docker build -t rookery .
#   docker run -d --name rookery -v rookery:/data -e DISCORD_TOKEN rookery         (on Discord)
#   docker run --rm -v rookery:/data -p 127.0.0.1:8080:8080 rookery                (on the playground)
#
# Settings come from the environment (ROOKERY_<SECTION>__<KEY>) or from config.toml in the volume.

FROM rust:1.95-bookworm AS build
WORKDIR /build
COPY . .
# The cache mounts are not part of the image, so the program is copied out of them. /empty becomes the volume's folder.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --profile dist --locked --bin rookery \
    && cp target/dist/rookery /rookery \
    && mkdir /empty

# The font for Chinese, Japanese and Korean names on share cards; the image needs one file of the package.
FROM debian:bookworm-slim AS fonts
RUN apt-get update \
    && apt-get install -y --no-install-recommends fonts-noto-cjk

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /rookery /usr/local/bin/rookery
COPY --from=fonts /usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc /usr/share/fonts/
COPY --from=build --chown=65532:65532 /empty /data
# Relative paths and config.toml are resolved here.
WORKDIR /data
VOLUME /data
# Inside the container the playground must listen on every address to be reachable at all; `docker run -p` decides who
# can reach it.
ENV ROOKERY_PLAYGROUND__LISTEN=0.0.0.0:8080 \
    ROOKERY_HEALTH__LISTEN=127.0.0.1:9090
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["rookery", "health"]
ENTRYPOINT ["rookery"]
