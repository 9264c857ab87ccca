import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { freePort, openProject, type Program, type Project } from "../support/pergola.ts";

const formsOf = (key: string) => [
  key,
  Buffer.from(key).toString("base64").replace(/=+$/, ""),
  Buffer.from(key).toString("hex"),
];
const [key, refused] = ["known", "refused"].map((name) => `cnry-${name}-${randomBytes(16).toString("hex")}`);
const forms = [key!, refused!].flatMap(formsOf);
const shows = (text: string): boolean => forms.some((form) => text.includes(form));

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe("the key of a provider that was added over HTTP", function () {
  this.timeout(120_000);
  let project: Project;
  let service: Program;
  let vendor: MockProviderServer;
  let url: string;
  const answers = new Map<string, string>();
  const start = async (): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = project.begin(["start", "--port", String(port)]);
    await service.wrote("serving");
  };
  const request = async (method: string, route: string, body?: object): Promise<Response> => {
    const json =
      body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(url + route, { method, signal: AbortSignal.timeout(20_000), ...json });
    const isEndless = route.startsWith("/api/events");
    answers.set(`${method} ${route} ${answers.size}`, isEndless ? "" : await answer.clone().text());
    if (isEndless) await answer.body?.cancel();
    return answer;
  };
  /** Every GET route that needs no id, as the service itself lists them. */
  const readAll = async (): Promise<number> => {
    const { paths } = (await (await request("GET", "/openapi.json")).json()) as Document;
    const routes = Object.keys(paths).filter((route) => "get" in paths[route]! && !route.includes("{"));
    for (const route of routes) await request("GET", route);
    return routes.length;
  };
  before(async () => {
    vendor = await mockProviderServer(chatReply({ text: `You sent ${key}.` }), { key: key! });
    project = await openProject();
    project.settings({
      "secrets.store": "file",
      "log.level": "debug",
      "memory.embedding_model": "",
      "providers.list": undefined as never,
      default_model: undefined as never,
    });
    await start();
  });
  after(async () => {
    await project?.close();
    await vendor?.close();
  });

  it("X76 is at its provider and nowhere else: answers of every route, log, settings, data", async () => {
    const body = { type: "custom", baseUrl: vendor.baseUrl };
    const wrong = await request("PUT", "/api/providers/mine", { ...body, apiKey: refused });
    expect(wrong.status).to.equal(502);
    const misshapen = await request("PUT", "/api/providers/mine", { ...body, apiKey: key, models: key });
    expect(misshapen.status).to.equal(400);
    expect((await request("PUT", "/api/providers/mine", { ...body, apiKey: key })).status).to.equal(201);
    const chat = { model: "custom/test", messages: [{ role: "user", content: "Hello" }] };
    for (const stream of [false, true])
      expect((await request("POST", "/api/chat/completions", { ...chat, stream })).status).to.equal(200);
    expect(await readAll()).to.be.above(30);
    await service.end();
    const logs = [service.stdout + service.stderr];
    await start();
    expect((await request("POST", "/api/chat/completions", chat)).status).to.equal(200);
    await readAll();
    await service.end();
    logs.push(service.stdout + service.stderr);
    expect(vendor.requests.map(({ headers }) => headers["authorization"])).to.include(`Bearer ${key}`);
    expect([...answers].filter(([, text]) => shows(text)).map(([route]) => route)).to.deep.equal([]);
    expect(logs.map(shows)).to.deep.equal([false, false]);
    const home = path.dirname(project.data);
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    expect(files.filter((file) => file.endsWith("secrets.json"))).to.have.length(1);
    expect(files.filter((file) => shows(readFileSync(file, "latin1")))).to.deep.equal([]);
  });
});
