import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { answer, listen, operationNamed, page, stopWeb, web } from "./web.ts";

const hosts = [
  ..."127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0".split(
    " ",
  ),
  ..."①②⑦.⓪.⓪.① 127。0。0。1 １２７.０.０.１ %31%32%37.0.0.1 127.0.0.1. 127.0.0.1%2f 127.0.0.1%00".split(" "),
  ..."[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::1%25lo]".split(
    " ",
  ),
  ..."[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]".split(
    " ",
  ),
  ..."169.254.169.254 168.63.129.16 100.100.100.200 10.0.0.1 172.16.0.1 192.168.0.1 224.0.0.1 255.255.255.255".split(
    " ",
  ),
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "loc\u00adalhost",
    "lo\tcal\nhost",
    "127.0.0.1\t",
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
];

const forms = (port: number): readonly string[] => [
  ...hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
  ...[
    `http:\\\\127.0.0.1:${port}\\`,
    `http:/127.0.0.1:${port}`,
    `http:127.0.0.1:${port}`,
    `http://127.0.0.1:${port}\\@example.com/`,
  ],
  ...[
    `http://1.1.1.1 &@127.0.0.1:${port}#@x/`,
    `HTTP://127.0.0.1:${port}`,
    ` http://127.0.0.1:${port} `,
    `ht\ntp://127.0.0.1:${port}`,
  ],
  ...[
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    `ws://127.0.0.1:${port}`,
    `ftp://127.0.0.1:${port}`,
    `gopher://127.0.0.1:${port}/_x`,
  ],
  ...[
    "http://",
    "file:///etc/passwd",
    "data:text/html,x",
    "javascript:1",
    "unix:/var/run/docker.sock",
    "blob:http://127.0.0.1/x",
  ],
];

/** Counts connections, not requests: none may even be opened. */
async function canary() {
  let connections = 0;
  const open = () =>
    createSocketServer((socket) => {
      connections += 1;
      socket.destroy();
    });
  const [four, six] = [open(), open()];
  const port = await listen(four);
  await listen(six, "::1", port).catch(() => 0);
  return { port, connections: () => connections };
}

describe("addresses that web_operations may not reach", function () {
  this.timeout(60_000);
  afterEach(stopWeb);

  for (const operation of ["fetch", "scrape"]) {
    it(`R8, CVE-2026-26324, CVE-2026-45400: ${operation} makes no connection to a private address in any form`, async () => {
      const trap = await canary();
      const outcomes = new Map<string, string>();
      for (const url of forms(trap.port)) {
        const outcome = await runOperation(operationNamed(operation), { url }, toolContext()).then(
          () => "reached",
          (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
        );
        outcomes.set(url, outcome);
      }
      expect(outcomes.size).to.be.above(100);
      expect(
        [...outcomes].filter(([, code]) => !["permission_denied", "invalid_value"].includes(code)),
      ).to.deep.equal([]);
      expect(trap.connections()).to.equal(0);
    });
  }

  it("CVE-2026-45401, A24: no redirect leads there either", async () => {
    const trap = await canary();
    const urls = forms(trap.port)
      .filter((url) => url.includes("127.0.0.1:") && /^https?:\/\//.test(url))
      .map((url) => url.trim());
    const { origin, failure } = await web({
      "/": (request, response) =>
        response.writeHead(302, { location: urls[Number(request.url?.slice(2))] ?? "" }).end(),
    });
    for (const [at, url] of urls.entries())
      expect((await failure("fetch", { url: `${origin}/?${at}` })).code, url).to.be.oneOf([
        "permission_denied",
        "invalid_value",
      ]);
    expect(urls.length).to.be.above(10);
    expect(trap.connections()).to.equal(0);
  });

  it("no search result leads research there", async () => {
    const trap = await canary();
    const html = answer("duckduckgo.html").replace(
      "https://en.wikipedia.org/wiki/Arch_bridge",
      `http://127.0.0.1:${trap.port}/`,
    );
    const { data } = await web({
      "html.duckduckgo.com": html,
      "bridges.example.org": page("Stone", "A stone arch carries its load by compression, as they say."),
    });
    const { source_count } = await data<{ readonly source_count: number }>("research", {
      query: "stone arch",
    });
    expect([source_count, trap.connections()]).to.deep.equal([2, 0]);
  });

  it("are reached once the operator allows them, so the trap would have sprung", async () => {
    const server = createServer((_request, response) =>
      response.setHeader("content-type", "text/plain").end("reached"),
    );
    const host = `127.0.0.1:${await listen(server)}`;
    const context = toolContext({ preferences: { "tools.web.allowed_private_hosts": [host] } });
    const { data } = await runOperation(operationNamed("fetch"), { url: `http://${host}/` }, context);
    expect(data).to.include({ content: "reached" });
  });
});
