import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { approvals, openLab } from "../support/lab-stage.ts";
import { mcpPlugins as plugins } from "../support/mcp-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { type Answer, revision, allow, wipe } from "./stateless-scene.ts";

interface RawAnswer {
  readonly id?: unknown;
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Record<string, { readonly params: { readonly message: string } }>;
    readonly content?: Answer["content"];
  };
  readonly error?: { readonly code: number; readonly data?: { readonly supported?: readonly string[] } };
}

describe("tools for MCP clients of the revision 2026-07-28", () => {
  let stage: Stage;
  const clients: { close(): Promise<void> }[] = [];
  /** The headers of all that the clients have sent. */
  const sent: Headers[] = [];
  before(async () => {
    stage = await openLab([], {
      plugins,
      settings: { mcp: { approval_seconds: 0 }, server: { max_body_bytes: 2 ** 20 } },
    });
  });
  beforeEach(() => {
    lab.reset();
    sent.length = 0;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const { id } of await approvals(stage.host, "?status=pending"))
      await stage.host.services.approvals.answer(id, { approved: false });
  });
  after(() => stage.end());

  describe("in requests that no library makes", () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const headersFor = (method: string, name?: string): Record<string, string> => ({
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    });
    const post = async (body: unknown, headers: Record<string, string>) => {
      const response = await stage.host.request("POST", "/mcp", body, headers);
      const text = await response.text();
      const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
      return { status: response.status, answer: JSON.parse(json) as RawAnswer };
    };
    const request = (method: string, params: object = {}, _meta: object = meta) => ({
      jsonrpc: "2.0",
      id: 7,
      method,
      params: { ...params, _meta },
    });
    const wiping = (more: object = {}, args: object = wipe, headers: Record<string, string> = {}) =>
      post(request("tools/call", { name: "lab", arguments: args, ...more }), {
        ...headersFor("tools/call", "lab"),
        ...headers,
      });
    /** The state of a call that waits, and replies that say yes to all of its questions. */
    const begin = async (headers: Record<string, string> = {}) => {
      const { answer } = await wiping({}, wipe, headers);
      const { resultType, requestState = "", inputRequests = {} } = answer.result ?? {};
      expect(resultType).to.equal("input_required");
      const replies = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, allow]));
      return { requestState, inputResponses: replies };
    };
    const from = (address: string) => ({ "x-forwarded-for": address });

    it("runs nothing twice: a repeated second request is refused, at the same time or later", async () => {
      const second = await begin();
      const both = await Promise.all([wiping(second), wiping(second)]);
      const later = await wiping(second);
      const texts = both.map(({ answer }) => answer.result?.content?.[0]?.text ?? answer.error?.code);
      expect(texts.toSorted()).to.deep.equal([-32602, "did w"]);
      expect(later.answer.error?.code).to.equal(-32602);
      expect(lab.log).to.deep.equal(["start w", "end w"]);
    });

    it("takes no forged state, nor one of another call or of somebody else", async () => {
      const second = await begin(from("alice"));
      const forged = [
        await wiping({ ...second, requestState: crypto.randomUUID() }, wipe, from("alice")),
        await wiping({ ...second, requestState: "" }, wipe, from("alice")),
        await wiping(second, { ...wipe, name: "other" }, from("alice")),
        await wiping(second, wipe, from("mallory")),
        await wiping(second),
      ];
      expect(forged.map(({ answer }) => answer.error?.code)).to.deep.equal(forged.map(() => -32602));
      expect(lab.log).to.deep.equal([]);
      const { answer } = await wiping(second, wipe, from("alice"));
      expect(answer.result?.content?.[0]?.text).to.equal("did w");
      expect(lab.log).to.deep.equal(["start w", "end w"]);
    });

    it("asks again where answers come without a state, and where a state comes without answers", async () => {
      const { inputResponses, requestState } = await begin();
      expect((await wiping({ inputResponses })).answer.result?.resultType).to.equal("input_required");
      const again = (await wiping({ requestState })).answer.result;
      expect(again?.resultType).to.equal("input_required");
      expect(again?.requestState).not.to.equal(requestState);
      const malformed = {
        [Object.keys(inputResponses)[0] ?? ""]: { method: "elicitation/create", result: allow },
      };
      const third = await wiping({ requestState: again?.requestState, inputResponses: malformed });
      expect(third.answer.result?.resultType).to.equal("input_required");
      expect(lab.log).to.deep.equal([]);
    });

    it("asks nothing of a client that does not say that it can ask", async () => {
      const silent = { ...meta, "io.modelcontextprotocol/clientCapabilities": {} };
      const body = request("tools/call", { name: "lab", arguments: wipe }, silent);
      const { answer } = await post(body, headersFor("tools/call", "lab"));
      expect(answer.result?.content?.[0]?.text).to.include("approval_required");
    });

    const listing = request("tools/list");
    const good = headersFor("tools/list");
    const without = (name: string) =>
      Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
    const future = { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const bare = { "io.modelcontextprotocol/protocolVersion": revision };
    for (const [title, body, headers, status, code] of [
      [
        "a version of the future",
        request("tools/list", {}, future),
        { ...good, "mcp-protocol-version": "2099-01-01" },
        400,
        -32022,
      ],
      [
        "a version that the header does not name",
        listing,
        { ...good, "mcp-protocol-version": "2025-11-25" },
        400,
        -32020,
      ],
      ["no version in the header", listing, without("mcp-protocol-version"), 400, -32020],
      ["another method in the header", listing, { ...good, "mcp-method": "tools/call" }, 400, -32020],
      ["no method in the header", listing, without("mcp-method"), 400, -32020],
      [
        "another name in the header",
        request("tools/call", { name: "lab", arguments: wipe }),
        headersFor("tools/call", "think"),
        400,
        -32020,
      ],
      ["a version in the header alone", { jsonrpc: "2.0", id: 7, method: "tools/list" }, good, 400, -32602],
      ["no capabilities", request("tools/list", {}, bare), good, 400, -32602],
      ["a method that is gone", request("initialize"), headersFor("initialize"), 404, -32601],
      ["a method that nobody knows", request("tools/steal"), headersFor("tools/steal"), 404, -32601],
    ] as const)
      it(`refuses ${title}`, async () => {
        const refused = await post(body, headers);
        expect([refused.status, refused.answer.error?.code]).to.deep.equal([status, code]);
        expect(lab.log).to.deep.equal([]);
      });

    it("refuses foreign pages, and bodies that are too large or nested too deep", async () => {
      const statusOf = async (body: unknown, headers = good) => (await post(body, headers)).status;
      expect(await statusOf(listing, { ...good, origin: "https://evil.example" })).to.equal(403);
      expect(await statusOf(request("tools/list", { filler: "x".repeat(2 ** 20) }))).to.equal(413);
      const deep: unknown = JSON.parse("[".repeat(500) + "]".repeat(500));
      expect(await statusOf(request("tools/list", { deep }))).to.equal(400);
    });
  });
});
