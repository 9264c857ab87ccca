import type { RequestListener } from "node:http";
import type { FetchInit } from "@pergola/sdk";
import { createFetch, type FetchOptions } from "../fetch.ts";
import { resolver, serve, type Canary } from "./servers.ts";

/** Addresses, in many forms, to which no plugin may connect. */
export const forms = (port: number): readonly string[] =>
  [
    // The same address in other clothes.
    ...`127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7f.0.0.0x1 0177.0.0.1 017700000001 0 0.0.0.0 00000.0x0`.split(
      " ",
    ),
    ...[
      "①②⑦.⓪.⓪.①",
      "127。0。0。1",
      "１２７.０.０.１",
      "%31%32%37.0.0.1",
      "127.0.0.1.",
      "127.0.0.1..",
      "127.0.0.1%2f",
      "127.0.0.1%00",
      "127.0.0.1\t",
    ],
    ...`[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::7f00:1] [::1%25lo]`.split(
      " ",
    ),
    ...`[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]`.split(
      " ",
    ),
    ...`169.254.169.254 168.63.129.16 100.100.100.200 10.0.0.1 172.16.0.1 192.168.0.1 192.0.0.192 224.0.0.1 255.255.255.255`.split(
      " ",
    ),
    ...[
      "localhost",
      "LOCALHOST",
      "localhost.",
      "loc\u00ADalhost",
      "lo\tcal\nhost",
      "private.test",
      "six.test",
      "mapped.test",
      "meta.test",
      "nul\0.test",
      "nul%00.test",
    ],
    ...[
      "x@127.0.0.1",
      "x:y@127.0.0.1",
      "example.com@127.0.0.1",
      "1.1.1.1 &@127.0.0.1",
      "example.com%40127.0.0.1",
      "[::1]@127.0.0.1",
    ],
  ]
    .flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`])
    .concat([
      `http:\\\\127.0.0.1:${port}\\`,
      `http:/127.0.0.1:${port}`,
      `http:127.0.0.1:${port}`,
      `http://127.0.0.1:${port}\\@example.com/`,
    ])
    .concat([
      `http://1.1.1.1 &@127.0.0.1:${port}#@x/`,
      `HTTP://127.0.0.1:${port}`,
      ` http://127.0.0.1:${port} `,
      `ht\ntp://127.0.0.1:${port}`,
    ])
    .concat([
      `//127.0.0.1:${port}/`,
      `127.0.0.1:${port}`,
      `ws://127.0.0.1:${port}`,
      `ftp://127.0.0.1:${port}`,
      `gopher://127.0.0.1:${port}/_x`,
    ])
    .concat([
      "",
      "http://",
      "http:///",
      "file:///etc/passwd",
      "data:text/plain,x",
      "javascript:1",
      "unix:/var/run/docker.sock",
      "blob:http://127.0.0.1/x",
    ]);

/** What a plugin fetches with, whose servers are allowed private hosts. */
export class FetchScene {
  controller = new AbortController();
  readonly names = resolver({
    localhost: ["127.0.0.1", "::1"],
    "private.test": ["127.0.0.1", "10.0.0.1"],
    "six.test": ["::1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "meta.test": ["169.254.169.254"],
  });

  readonly optionsFor = (...servers: readonly Canary[]): FetchOptions => ({
    hosts: "any",
    privateHosts: () => servers.map(({ port }) => `127.0.0.1:${port}`),
    signal: this.controller.signal,
    lookup: this.names.lookup,
  });

  /** Fetches from a server of one listener. */
  async get(listener: RequestListener, init?: FetchInit, path = "/"): Promise<Response> {
    const server = await serve(listener);
    return createFetch(this.optionsFor(server))(`http://127.0.0.1:${server.port}${path}`, init);
  }
}
