import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { Sessions } from "../sessions.ts";

const mostSessions = 256;
const accept = "application/json, text/event-stream";
const greeting = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function scene() {
  const sessions = new Sessions(
    fakeServices({
      tools: { list: async () => [] },
      system: { version: "1", stopping: false } as never,
    }),
  );
  const handle = (method: string, rawBody: object, headers: Record<string, string>): Promise<Response> =>
    sessions.handle(
      new Request("http://localhost/mcp", {
        method,
        headers: { accept, "content-type": "application/json", ...headers },
      }),
      endpointRequest({ rawBody, headers }),
    );
  const greet = async (): Promise<string> =>
    (await handle("POST", greeting, {})).headers.get("mcp-session-id") ?? "";
  const send = (method: "GET" | "POST", id: string): Promise<Response> =>
    handle(method, { jsonrpc: "2.0", id: 2, method: "ping" }, { "mcp-session-id": id });
  /** Whether a session still answers, which also makes it the one used last. */
  const isOpen = async (id: string): Promise<boolean> => {
    try {
      return (await send("POST", id)).status === 200;
    } catch (error) {
      expect(AppError.is(error) && error.code).to.equal("not_found");
      return false;
    }
  };
  return { sessions, greet, send, isOpen };
}

describe("sessions of MCP clients", () => {
  it("end above the bound only: the one that was idle longest, and none that is being answered", async () => {
    const { sessions, greet, send, isOpen } = scene();
    const ids: string[] = [];
    for (let count = 0; count < mostSessions; count++) ids.push(await greet());
    const [streaming = "", used = "", oldest = "", next = ""] = ids;
    await setTimeout(5);
    const stream = await send("GET", streaming);
    expect(await isOpen(used), "at the bound nothing has ended").to.equal(true);
    await setTimeout(5);
    for (const id of ids.slice(4)) expect(await isOpen(id)).to.equal(true);
    const newest = await greet();
    expect(await isOpen(oldest)).to.equal(false);
    for (const id of [streaming, used, next, newest]) expect(await isOpen(id)).to.equal(true);
    await stream.body?.cancel();
    await sessions.close();
  });
});
