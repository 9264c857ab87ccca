import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "chai";
import { officialPlugins, type Stage } from "../support/host.ts";
import { approvals, eventually, labPlugin } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { addToken, fromElsewhere, openDoorStage, type Made } from "./door-scene.ts";
import { auditIn } from "./support/read-audit.ts";

describe("tokens that want more than they are given", () => {
  let stage: Stage;
  before(async () => {
    lab.reset();
    stage = await openDoorStage({
      plugins: [...officialPlugins(), labPlugin],
      settings: { "debug.allow_remote": true, mcp: { approval_seconds: 0 } },
    });
  });
  after(() => stage.end());

  const pending = async () => (await approvals(stage.host))[0];
  const post = <T>(path: string, token: string, body: object, method = "POST") =>
    fromElsewhere<T & { error: { code: string } }>(stage.host, path, { method, token, body });

  /** Lets a token call what asks first, and gives back the question that waits. */
  async function blockedCall(token: string, more: object = {}) {
    const body = { tool: "lab", arguments: { operation: "wipe", name: "x44" }, waitSeconds: 0, ...more };
    const { body: called } = await post<{ toolCallId: string }>("/debug/mcp/execute", token, body);
    const asked = await eventually(pending);
    expect(asked.toolCallId).to.equal(called.toolCallId);
    return asked;
  }

  it("X44 tools without approve answers its own question by no route", async () => {
    const { secret } = await addToken(stage.host, "x44 tools", { scopes: ["read", "chat", "tools"] });
    const asked = await blockedCall(secret, { isUserInitiated: true });
    const yes = { approved: true, grant: "conversation" };
    const refused = [
      await post(`/api/approvals/${asked.id}`, secret, yes),
      await post("/api/chat/tool-response", secret, { toolCallId: asked.toolCallId, ...yes }),
    ];
    for (const { status, body } of refused)
      expect(`${status} ${body.error.code}`).to.equal("403 insufficient_scope");
    expect((await pending())?.id).to.equal(asked.id);
    expect(lab.log).to.deep.equal([]);
    const no = await stage.host.json("POST", `/api/approvals/${asked.id}`, { approved: false });
    expect(no.status).to.equal(200);
  });

  it("X44 a question and its answer keep whose they are", async () => {
    const { secret, token } = await addToken(stage.host, "x44 asks", { scopes: ["read", "chat", "tools"] });
    const may = await addToken(stage.host, "x44 answers", { scopes: ["read", "approve"] });
    const { id } = await blockedCall(secret, { isUserInitiated: true });
    const shown = () => stage.host.json<Readonly<Record<string, unknown>>>("GET", `/api/approvals/${id}`);
    expect((await shown()).body).to.include({ askedBy: token.id, answeredBy: null });
    const no = await post(`/api/approvals/${id}`, may.secret, { approved: false });
    expect(no.status).to.equal(200);
    expect((await shown()).body).to.include({ askedBy: token.id, answeredBy: may.token.id });
    const fact = auditIn(stage.host.dataDirectory).findLast(({ action }) => action === "approval.answer");
    expect(fact).to.include({ target: `lab.wipe ${id} asked by token ${token.id}`, outcome: "denied" });
    expect(fact?.caller?.id).to.equal(may.token.id);
  });

  it("X44 tools without approve is not asked in its MCP client, whatever that would say", async () => {
    const forms: string[] = [];
    const callOf = async (token: string) => {
      const client = new Client({ name: "x44", version: "1" }, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        forms.push(params.message);
        return { action: "accept", content: { answer: "allow once", decision: "allow once" } };
      });
      const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": "203.0.113.9" };
      const address = new URL(`${stage.host.url}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
      const call = { name: "lab", arguments: { operation: "wipe", name: "x44 mcp" } };
      const answer = await client.callTool(call);
      await client.close();
      return answer;
    };
    const { secret } = await addToken(stage.host, "x44 mcp", { scopes: ["read", "chat", "tools"] });
    const refused = await callOf(secret);
    expect(refused.isError).to.equal(true);
    const asked = await eventually(pending);
    expect([forms, asked.status, lab.log]).to.deep.equal([[], "pending", []]);
    await stage.host.json("POST", `/api/approvals/${asked.id}`, { approved: false });
    const scopes = ["read", "chat", "tools", "approve"];
    await callOf((await addToken(stage.host, "x44 may", { scopes })).secret);
    expect(forms, "who may answer is asked").to.have.lengthOf(1);
    for (const { id } of await approvals(stage.host))
      await stage.host.json("POST", `/api/approvals/${id}`, { approved: false });
  });

  it("X44 admin makes no token wider than itself, in no way", async () => {
    const { secret: admin, token: own } = await addToken(stage.host, "x44 admin", {
      scopes: ["read", "admin"],
      root: stage.host.dataDirectory,
      expiresIn: "1d",
    });
    const wide = await addToken(stage.host, "x44 wide", { scopes: ["read", "chat", "tools", "approve"] });
    const tokens = async () =>
      (await stage.host.json<{ tokens: Made["token"][] }>("GET", "/api/tokens")).body.tokens;
    const before = await tokens();
    const root = stage.host.dataDirectory;
    const newText = "x44-a-token-of-its-own-choice-0123456789";
    const attempts = [
      await post("/api/tokens", admin, { name: "a", scopes: ["read", "approve"], root }),
      await post("/api/tokens", admin, { name: "b", scopes: ["read"], root: null }),
      await post("/api/tokens", admin, { name: "c", scopes: ["read"], root: `${root}/..` }),
      await post(`/api/tokens/${wide.token.id}/rotate`, admin, { overlap: "1h" }),
      await post(`/api/tokens/${own.id}`, admin, { scopes: ["read", "admin", "tools"] }, "PATCH"),
      await post(`/api/tokens/${own.id}`, admin, { root: "/" }, "PATCH"),
      await post(`/api/tokens/${own.id}`, admin, { expiresAt: "2999-01-01T00:00:00Z" }, "PATCH"),
      await post(`/api/tokens/${wide.token.id}`, admin, { name: "mine" }, "PATCH"),
      await post("/api/preferences", admin, { "auth.token": newText }, "PATCH"),
    ];
    const codes = attempts.map(({ status, body }) => `${status} ${body.error?.code}`);
    expect(codes).to.deep.equal(attempts.map(() => "403 insufficient_scope"));
    const code = await post("/api/session/code", admin, { tokenId: wide.token.id });
    expect([code.status, code.body.error.code]).to.deep.equal([403, "remote_not_allowed"]);
    const rest = ({ id, name, scopes }: Made["token"]) => ({ id, name, scopes });
    expect((await tokens()).map(rest)).to.deep.equal(before.map(rest));
    expect((await fromElsewhere(stage.host, "/api/models", { token: newText })).status).to.equal(401);
    const narrow = await post("/api/tokens", admin, { name: "d", scopes: ["read"], root });
    expect(narrow.status).to.equal(201);
  });
});
