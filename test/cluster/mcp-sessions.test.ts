import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "chai";
import { needsPostgres, sharedServer } from "../../plugins/storage-postgres/test/support/postgres-server.ts";
import type { Stage } from "../support/host.ts";
import { openLab } from "../support/lab-stage.ts";
import { mcpPlugins as plugins } from "../support/mcp-stage.ts";
import { openPlainProxy, type PlainProxy } from "./support/plain-proxy.ts";

describe("MCP clients before several hosts", function () {
  this.timeout(60_000);
  const stages: Stage[] = [];
  const clients: { close(): Promise<void> }[] = [];
  /** Of the host that gets each request. */
  let next = (): number => 0;
  let proxy: PlainProxy;

  before(needsPostgres);
  before(async () => {
    const storage = (await sharedServer()).settings();
    for (const label of ["one", "two"])
      stages.push(await openLab([], { plugins, settings: { storage, "cluster.label": label } }));
    proxy = await openPlainProxy(() => stages[next()]!.host.url);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => undefined);
  });
  after(async () => {
    proxy?.close();
    for (const stage of stages) await stage.end();
  });

  const address = () => new URL(`${proxy.url}/mcp`);
  const note = (name: string) => ({ name: "lab", arguments: { operation: "note", name } });

  async function connect(): Promise<OlderClient> {
    const client = new OlderClient({ name: "check", version: "1" });
    await client.connect(new OlderTransport(address()));
    clients.push(client);
    return client;
  }

  it("meet 404 with a session at another host, which makes them begin anew", async () => {
    next = () => 0;
    const client = await connect();
    expect((await client.callTool(note("one"))).isError).to.not.equal(true);
    next = () => 1;
    const refused = await client.callTool(note("lost")).catch(({ code }: { code: unknown }) => code);
    expect(refused).to.equal(404);
    const again = await connect();
    const { content } = (await again.callTool(note("two"))) as { readonly content: readonly object[] };
    expect(content[0]).to.have.property("text").that.includes("did two");
    next = () => 0;
    expect((await client.callTool(note("back"))).isError).to.not.equal(true);
  });

  it("need no session from 2026-07-28 on: each request may go to another host", async () => {
    let asked = 0;
    next = () => asked++ % 2;
    const client = new Client({ name: "check", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(address()));
    clients.push(client);
    const before = asked;
    for (const name of ["a", "b", "c", "d"]) {
      const { content } = (await client.callTool(note(name))) as { readonly content: readonly object[] };
      expect(content[0]).to.have.property("text").that.includes(`did ${name}`);
    }
    expect(asked).to.be.greaterThan(before + 3);
  });
});
