import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { argumentPlaces, type ArgumentPlace } from "../support/argument-places.ts";
import { noNames } from "../support/no-names.ts";
import { writePlugin } from "../support/plugins/write-plugin.ts";
import { eachOf, execute, openTools, type ToolStage } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

/** A family that fetches what it is told to, as a third party would write it. */
const courier = {
  use: writePlugin(temporaryFolder(), {
    id: "tool-courier",
    provides: { tools: { courier: ["get", "get_all"] } },
    manifest: { permissions: { network: "any" } },
    code: `
      const url = { type: "string", format: "uri" };
      const operation = { description: "Fetches", effect: "read" };
      export default { tools: [{ name: "courier", description: "Fetches", operations: [
        { ...operation, name: "get", parameters: { url }, required: ["url"],
          run: async (args, context) => ({ data: await (await context.fetch(args.url)).text() }) },
        { ...operation, name: "get_all", parameters: { urls: { type: "array", items: url } }, required: ["urls"],
          run: async (args, context) => ({ data: await Promise.all(args.urls.map(async (one) => (await context.fetch(one)).text())) }) },
      ] }] };`,
  }),
  isolation: "trusted",
};

const names = {
  "rebound.example": "127.0.0.1",
  "metadata.google.internal": "169.254.169.254",
  "mapped.example": "::ffff:127.0.0.1",
  "localhost.example": "::1",
};

/** Hosts that are this machine, or one that nobody may ask, in all the ways to write them. */
const hosts = [
  ..."127.0.0.1 127.1 127.0.1 127.0.0.2 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 017700000001 0177.0.0.1 0177.1 127.0.0.1. 0 0.0.0.0".split(
    " ",
  ),
  ..."①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1 127%2e0%2e0%2e1 %31%32%37.0.0.1".split(" "),
  ..."[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [::7f00:1]".split(
    " ",
  ),
  ..."[64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [::ffff:a9fe:a9fe]".split(
    " ",
  ),
  ..."localhost LOCALHOST localhost. a.localhost local\u00adhost ｌocalhost ⓛocalhost".split(" "),
  ...Object.keys(names),
  ..."169.254.169.254 2852039166 0xa9fea9fe 168.63.129.16 100.100.100.200 10.0.0.1 172.16.0.1 192.168.0.1 198.18.0.1 192.0.0.192".split(
    " ",
  ),
  ..."224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 0.1.2.3".split(" "),
];

/**
 * Whole addresses: with a name and password, of other schemes, and such as two readers could understand in
 * two ways.
 */
const addresses = (port: number): readonly string[] => [
  ...hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
  ...[
    "user@127.0.0.1",
    "user:pass@127.0.0.1",
    "example.com@127.0.0.1",
    "example.com:80@127.0.0.1",
    "user:pass@example.com",
  ].map((host) => `http://${host}:${port}/`),
  ..."file:///etc/passwd ftp://127.0.0.1/x gopher://127.0.0.1/x dict://127.0.0.1/x ldap://127.0.0.1 ws://127.0.0.1/ data://text".split(
    " ",
  ),
  ..."blob:http://127.0.0.1/x javascript:alert(1) data:text/plain,x about:blank view-source:http://127.0.0.1".split(
    " ",
  ),
  `http://1.1.1.1 &@127.0.0.1:${port}#@x/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:/127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}`,
  `http://127.0\t.0.1:${port}/`,
  ` http://127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://example.com\0.127.0.0.1:${port}/`,
  `http://127.0.0.1%00.example.com:${port}/`,
  "http://",
  "http://[::1",
  "//127.0.0.1/",
];

describe("addresses that tools are given", () => {
  let stage: ToolStage;
  let places: readonly ArgumentPlace[];
  let canary: Server;
  let calls = 0;
  let giveNamesBack: () => void;

  before(async () => {
    giveNamesBack = noNames(names);
    canary = createServer((socket) => {
      calls += 1;
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary");
    }).listen(0, "::");
    await once(canary, "listening");
    stage = await openTools({ plugins: [courier] });
    const { plugin } = {
      plugin: (await import(`${courier.use}/index.js`)) as { default: { tools: ToolStage["families"] } },
    };
    const [tool] = plugin.default.tools;
    const own = (tool?.operations ?? []).map((operation) => ({
      tool: tool!,
      operation,
      name: `courier.${operation.name}`,
      effects: [],
      args: {},
    }));
    places = [...stage.operations, ...own].flatMap((one) => argumentPlaces(one, ["uri", "path-or-uri"]));
  });
  after(async () => {
    await stage.end();
    canary.close();
    giveNamesBack();
  });

  verifies(
    ["policy:table"],
    "CVE-2026-26324, CVE-2026-45400, CVE-2026-54020: none leads to this machine or a private network, in any form",
    async () => {
      const { port } = canary.address() as AddressInfo;
      expect(places.map(({ name, path }) => `${name} ${path}`)).to.include.members([
        "courier.get url",
        "courier.get_all urls[last]",
      ]);
      const wrong = await eachOf(
        places.flatMap((one) => addresses(port).map((address) => ({ one, address }))),
        async ({ one, address }) => {
          const mayBePath =
            one.operation.parameters[one.path.split(/[.[]/)[0] ?? ""]?.format === "path-or-uri";
          const refusals = [
            "permission_denied",
            "invalid_value",
            ...(mayBePath ? ["file_not_found", "path_escape"] : []),
          ];
          const answer = await execute(stage, one.name, one.with(address), { isUserInitiated: true });
          return refusals.includes(answer.error_code ?? "")
            ? undefined
            : `${one.name} ${one.path} = ${address}: ${answer.error_code ?? "done"} ${answer.error ?? ""}`;
        },
      );
      expect(wrong).to.deep.equal([]);
      expect(calls).to.equal(0);
    },
  );

  it("would be heard by the listener", async () => {
    const { port } = canary.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}/`);
    expect(calls).to.equal(1);
  });
});
