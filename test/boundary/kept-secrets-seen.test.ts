import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, jsonReply, type MockReply, type MockRequest } from "@pergola/sdk/testing";
import { freePort, openProject, type Program, type Project } from "../support/pergola.ts";

const key = `cnry-kept-${randomBytes(16).toString("hex")}`;
const forms = [key, Buffer.from(key).toString("base64"), Buffer.from(key).toString("hex")];
const shows = (text: string): boolean => forms.some((form) => text.includes(form));

/** A provider that tells everybody the key it was sent. */
function gossip({ text, headers }: MockRequest): MockReply {
  const said = `You sent ${String(headers["authorization"])}.`;
  if (text.includes("REFUSE")) return jsonReply({ error: { message: said } }, { status: 401 });
  return chatReply({ text: said });
}

describe("kept secrets in use", function () {
  this.timeout(120_000);
  let project: Project;
  let service: Program;
  let url: string;
  const told: string[] = [];
  const request = async (method: string, route: string, body?: object): Promise<string> => {
    const json =
      body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const text = await (await fetch(url + route, { method, ...json })).text();
    told.push(text);
    return text;
  };
  before(async () => {
    project = await openProject(gossip);
    project.settings({
      "secrets.store": "file",
      "tools.disabled": [],
      "providers.list": [
        { type: "custom", base_url: project.model.baseUrl, retry_count: 0, api_key: { secret: "model" } },
      ],
    });
    const kept = await project.run(["secrets", "set", "model"], { input: key });
    expect(kept.code, kept.stderr).to.equal(0);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = project.begin(["start", "--port", String(port)]);
    await service.wrote("serving");
  });
  after(() => project?.close());

  it("X76 a kept secret is at its provider and nowhere else: answers, export, audit, children, log, data", async () => {
    for (const word of ["HELLO", "REFUSE"])
      for (const stream of [false, true])
        await request("POST", "/api/chat/completions", {
          model: "default",
          stream,
          conversationId: "kept",
          messages: [{ role: "user", content: word }],
        });
    expect(project.model.requests.map(({ headers }) => headers["authorization"])).to.include(`Bearer ${key}`);
    const children = await request("POST", "/debug/mcp/execute", {
      tool: "terminal_operations.run_command",
      arguments: { command: "env", explanation: "A test" },
      isUserInitiated: true,
    });
    expect(children).to.include("PATH");
    for (const route of [
      "/v1/conversations/kept",
      "/v1/conversations/kept/export",
      "/v1/conversations/kept/export?format=markdown",
      "/api/audit",
      "/api/runs",
      "/api/preferences",
      "/api/providers",
    ])
      expect(await request("GET", route), route).to.not.equal("");
    expect(told.filter(shows)).to.deep.equal([]);
    const environment = readFileSync(`/proc/${service.child.pid}/environ`, "utf8");
    expect(environment).to.include("PATH");
    expect(shows(environment)).to.equal(false);
    await service.end();
    expect(shows(service.stdout + service.stderr)).to.equal(false);
    const files = readdirSync(project.data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    for (const name of ["secrets.json", "audit.jsonl"])
      expect(
        files.some((file) => file.endsWith(name)),
        name,
      ).to.equal(true);
    expect(files.filter((file) => shows(readFileSync(file, "latin1")))).to.deep.equal([]);
  });
});
