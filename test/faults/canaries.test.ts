import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { MockReply, MockRequest } from "@pergola/sdk/testing";
import { chatReply, jsonReply } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { approvePlugins } from "../support/approve-plugins.ts";
import { freePort, openProject, type Program, type Project } from "../support/pergola.ts";
import { openFormats } from "../support/alone/formats.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

/** Each is found nowhere but where it was put. */
const canary = (of: string): string => `cnry-${of}-${randomBytes(12).toString("hex")}`;
const keys = {
  chat: canary("chat"),
  anthropic: canary("anthropic"),
  gemini: canary("gemini"),
  environment: canary("environment"),
  header: canary("header"),
  token: canary("token"),
  nested: canary("nested"),
};

/** In the forms in which somebody might write it. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("hex"),
];
const foundIn = (text: string): readonly string[] =>
  Object.entries(keys).flatMap(([name, key]) =>
    formsOf(key).some((form) => text.includes(form)) ? [name] : [],
  );

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** A provider that tells everybody the key it was sent. */
const gossip = ({ headers }: MockRequest): string =>
  `You sent ${String(headers["authorization"])} and ${String(headers["x-extra"])}.`;

/** What the provider does, by the last words of the person. */
function answer(request: MockRequest): MockReply {
  const text = request.text;
  if (text.includes("REFUSE"))
    return jsonReply({ error: { message: gossip(request), type: "auth" } }, { status: 401 });
  if (text.includes("BREAK"))
    return { body: [`data: {"error":{"message":${JSON.stringify(gossip(request))}}}\n\n`] };
  if (text.includes("ECHO")) return chatReply({ text: gossip(request) });
  const isAnswered = text.includes('"role":"tool"');
  return chatReply(
    isAnswered ? { text: "Done." } : { toolCalls: [{ name: "spy", arguments: { operation: "go" } }] },
  );
}

describe("keys", function () {
  this.timeout(120_000);
  let project: Project;
  let service: Program;
  let formats: Awaited<ReturnType<typeof openFormats>>;
  let url: string;
  /** All that anybody outside was told. */
  const told: string[] = [];
  const request = async (method: string, route: string, body?: object): Promise<string> => {
    const json =
      body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const text = await (await fetch(url + route, { method, ...json })).text();
    told.push(`${method} ${route}\n${text}`);
    return text;
  };
  /** What GET /api/events, which does not end by itself, tells of some work. */
  const changesDuring = async (work: () => Promise<unknown>): Promise<string> => {
    const answer = await fetch(`${url}/api/events`);
    void work();
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece as Uint8Array, { stream: true });
      if (text.includes("event: change")) break;
    }
    told.push(`GET /api/events\n${text}`);
    return text;
  };
  const chat = (content: string, more: object = {}): Promise<string> =>
    request("POST", "/api/chat/completions", {
      model: "default",
      conversationId: "canaries",
      messages: [{ role: "user", content }],
      ...more,
    });
  const call = (tool: string, args: object): Promise<string> =>
    request("POST", "/debug/mcp/execute", { tool, arguments: args, isUserInitiated: true });

  before(async () => {
    project = await openProject(answer);
    formats = await openFormats();
    const file = path.join(project.folder, "gemini.key");
    writeFileSync(file, keys.gemini);
    const spy = toolPlugin(
      project.folder,
      "spy",
      "return { data: JSON.stringify(process.env) + JSON.stringify(context.settings) };",
    );
    const sample = path.join(root, "plugins/bridge-mcp-client/test/servers/sample-server.mjs");
    await approvePlugins(project.data, spy);
    project.settings({
      plugins: ["@pergola/bundle-standard", spy],
      "tools.disabled": [],
      "providers.list": [
        {
          type: "custom",
          base_url: project.model.baseUrl,
          api_key: { env: "CHAT_KEY" },
          headers: { "x-extra": { env: "HEADER_KEY" } },
          retry_count: 0,
        },
        { type: "anthropic", base_url: `${formats.url}/anthropic`, api_key: { env: "OTHER_KEY" } },
        { type: "gemini", base_url: `${formats.url}/gemini`, api_key: { file } },
      ],
      "downloads.token": { env: "TOKEN" },
      "tools.calendar.caldav": { url: "http://127.0.0.1:9/", user: "ada", password: { env: "DAV_PASSWORD" } },
      "mcp.servers": { sample: { command: process.execPath, args: [sample] } },
    });
    const environment = {
      CHAT_KEY: keys.chat,
      HEADER_KEY: keys.header,
      OTHER_KEY: keys.anthropic,
      TOKEN: keys.token,
      DAV_PASSWORD: keys.nested,
      OPENROUTER_API_KEY: keys.environment,
    };
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = project.begin(["start", "--port", String(port)], { environment });
    await service.wrote("serving");
  });
  after(async () => {
    await project.close();
    formats.close();
  });

  it("are sent to their providers, or the rest would prove nothing", async () => {
    expect(await chat("Hello")).to.include("Done.");
    const sent = JSON.stringify(project.model.requests.map(({ headers }) => headers));
    expect(foundIn(sent)).to.have.members(["chat", "header"]);
    expect(gossip(project.model.requests[0]!)).to.include(keys.chat);
  });

  it("are in no environment of a program that is started: tools apart, shells, MCP servers", async function () {
    needsSandbox.call(this);
    const said = [
      await call("spy.go", {}),
      await call("terminal_operations.run_command", {
        command: "env; cat /proc/$PPID/environ 2>/dev/null | tr '\\0' '\\n' | head -0",
      }),
      await call("mcp_sample.environment", {}),
    ];
    for (const text of said) expect(text).to.include("HOME");
    expect(foundIn(said.join())).to.deep.equal([]);
  });

  it("are in no answer, whatever the provider says back: errors, texts, streams, other formats", async () => {
    for (const word of ["REFUSE", "BREAK", "ECHO"])
      for (const stream of [false, true]) {
        await chat(word, { stream });
        // What a model says comes back unchanged past the service; that is what the bypass is for.
        if (word !== "ECHO") await chat(word, { stream, service_config: { bypass_processing: true } });
        await request("POST", "/v1/messages", {
          model: "default",
          max_tokens: 100,
          stream,
          messages: [{ role: "user", content: word }],
        });
        await request("POST", "/v1/responses", { model: "default", stream, input: word });
      }
    await chat("Hello", { model: "anthropic/test", conversationId: "other" });
    await chat("Hello", { model: "gemini/test", conversationId: "another" });
    await call("calendar_operations.list_events", {});
    await request("POST", "/api/models/download", { repoId: "owner/name" });
    expect(told.length).to.be.greaterThan(24);
    expect(told.filter((text) => foundIn(text).length > 0)).to.deep.equal([]);
  });

  it("are in nothing that can be looked at", async () => {
    const changes = changesDuring(() => chat("What is new?"));
    const paths = Object.keys(
      (JSON.parse(await request("GET", "/openapi.json")) as { readonly paths: object }).paths,
    ).filter((one) => !/[{]/.test(one));
    for (const route of paths.filter((one) => one !== "/api/events")) await request("GET", route);
    const { runs } = JSON.parse(await request("GET", "/api/runs")) as {
      readonly runs: readonly { readonly id: string; readonly conversationId: string }[];
    };
    expect(runs.length).to.be.greaterThan(5);
    for (const { id, conversationId } of runs.slice(0, 20)) {
      await request("GET", `/api/runs/${id}`);
      await request("GET", `/api/runs/${id}/events`);
      await request("GET", `/v1/conversations/${conversationId}`);
    }
    expect(await changes).to.include("event: change");
    expect(told.filter((text) => foundIn(text).length > 0)).to.deep.equal([]);
  });

  it("are in no line of the log, and in no file of the data", async () => {
    await service.end();
    expect(service.stdout + service.stderr).to.include("serving");
    expect(foundIn(service.stdout + service.stderr)).to.deep.equal([]);
    const files = filesIn(project.data);
    expect(files.some((file) => file.endsWith(".db") || file.includes("sqlite"))).to.equal(true);
    expect(files.filter((file) => foundIn(readFileSync(file, "latin1")).length > 0)).to.deep.equal([]);
  });
});
