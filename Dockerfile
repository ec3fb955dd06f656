# syntax=docker/dockerfile:1
# The demo server as an image: one static program, no shell, not root. See compose.yaml.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
WORKDIR /src/examples/server
ENV CGO_ENABLED=0 GOWORK=off
RUN go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/server . && mkdir /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/server /server
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
VOLUME ["/data"]
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/server", "-check", "127.0.0.1:9090"]
ENTRYPOINT ["/server", "-store", "bolt:/data/tollgate.db", "-ops", "127.0.0.1:9090"]
CMD ["-addr", "0.0.0.0:8080", "-shop", "0.0.0.0:8081", "-public", "http://localhost:8080", "-shop-public", "http://localhost:8081"]
