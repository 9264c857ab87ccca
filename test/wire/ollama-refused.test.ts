import { expect } from "chai";
import type { JsonObject } from "@pergola/sdk";
import { chatReply, mockProviderServer, startTestHost } from "@pergola/sdk/testing";
import { addToken, fromElsewhere } from "../boundary/door-scene.ts";
import { officialPlugins } from "../support/host.ts";
import { openOllamaStage, type Line, type OllamaStage } from "../support/ollama-stage.ts";
import { freePort } from "../support/pergola.ts";
import { rawRequest } from "../support/raw-request.ts";
import { verifies } from "../support/verifies.ts";

const model = "custom/test";
const user = (content: string) => ({ role: "user", content });

describe("the limits of the door for clients of Ollama", () => {
  let stage: OllamaStage;
  before(async () => {
    stage = await openOllamaStage();
  });
  after(() => stage.end());

  verifies("ollama:refused", "tells what is wrong as a text", async () => {
    for (const [path, body, status, text] of [
      ["/api/chat", "{", 400, /JSON/],
      ["/api/chat", {}, 400, /model/],
      ["/api/chat", { model, messages: "hi" }, 400, /messages must/],
      ["/api/chat", { model, messages: [{ role: "robot", content: "" }] }, 400, /messages\[0\]\.role/],
      ["/api/chat", { model, messages: [{ role: "tool", content: "x" }] }, 400, /answers no call/],
      ["/api/chat", { model, messages: [{ ...user("x"), images: ["AAAA"] }] }, 400, /images\[0\]/],
      ["/api/chat", { model, messages: [user("x")], format: "yaml" }, 400, /format/],
      ["/api/chat", { model, messages: [user("x")], options: { temperature: 9 } }, 400, /temperature/],
      ["/api/generate", { model, prompt: 3 }, 400, /prompt/],
      ["/api/embed", { model, input: [1, 2] }, 400, /input/],
      ["/api/embeddings", { model: "nobody", prompt: "x" }, 404, /nobody/],
      ["/api/show", { model: "nobody" }, 404, /nobody/],
    ] as const) {
      const answer = await stage.post(path, body);
      const { error } = (await answer.json()) as { error: string };
      expect([answer.status, text.test(error)], `${path} ${JSON.stringify(body)}: ${error}`).to.deep.equal([
        status,
        true,
      ]);
    }
    for (const name of ["pull", "push", "create", "copy", "blobs/x"])
      expect((await stage.post(`/api/${name}`, { model })).status, name).to.equal(404);
  });

  verifies("ollama:refused", "takes bodies without a type from programs, and not from pages", async () => {
    stage.provider.play(chatReply({ text: "Hi." }));
    const body = { model, messages: [user("Hi")], stream: false };
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await stage.post("/api/chat", body, form)).status).to.equal(200);
    expect(
      (await stage.post("/api/chat", body, { ...form, "Sec-Fetch-Site": "same-origin" })).status,
    ).to.equal(415);
    expect((await stage.post("/api/chat", body, { ...form, Origin: stage.at("") })).status).to.equal(415);
    expect((await stage.post("/api/chat", body, { ...form, Origin: stage.host.url })).status).to.equal(403);
  });

  verifies(
    "ollama:refused",
    "lets in on its port whom the service lets in, and asks others for a token",
    async () => {
      const { secret } = await addToken(stage.host, "assistant", { scopes: ["read"] });
      const host = { ...stage.host, url: stage.at("") };
      const elsewhere = (path: string, more: object = {}) => fromElsewhere<Line>(host, path, more);
      const refused = await elsewhere("/api/tags");
      expect(refused.status).to.equal(401);
      expect((await elsewhere("/api/tags", { token: secret })).status).to.equal(200);
      const body = { model, messages: [user("Hi")] };
      expect((await elsewhere("/api/chat", { token: secret, method: "POST", body })).status).to.equal(403);
      const request = (headers: string) =>
        rawRequest(stage.at(""), `GET /api/tags HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect((await request("Host: evil.example")).status).to.equal(403);
      expect((await request(`Host: localhost:${stage.port}`)).status).to.equal(200);
    },
  );

  verifies("ollama:refused", "is no provider to itself, and no model server to another Pergola", async () => {
    const port = await freePort();
    const other = await mockProviderServer(chatReply({ text: "Hello." }));
    const own = `http://127.0.0.1:${port}/v1`;
    const host = await startTestHost({
      plugins: officialPlugins(),
      settings: {
        storage: { type: "memory" },
        "server.ollama_port": port,
        "providers.list": [
          { type: "ollama", base_url: own },
          { type: "custom", base_url: other.baseUrl },
        ],
        "providers.local_servers": { ollama: stage.at("/v1"), lmstudio: own },
      },
    });
    try {
      const { models } = (await host.json<{ models: { name: string }[] }>("GET", "/api/tags")).body;
      expect(models.map(({ name }) => name)).to.deep.equal([model]);
      const { providers } = (
        await host.json<{ providers: { type: string; lastError: string }[] }>("GET", "/api/providers")
      ).body;
      expect(providers.find(({ type }) => type === "ollama")?.lastError).to.include("provider to itself");
      const { servers } = (await host.json<{ servers: object[] }>("POST", "/api/providers/detect")).body;
      expect(servers).to.deep.equal([]);
    } finally {
      await host.stop();
      await other.close();
    }
  });

  verifies(
    "ollama:alone",
    "answers all of its paths where the page and the embeddings are left out",
    async () => {
      const ways: readonly JsonObject[] = [
        { disabled: ["endpoint-web", "endpoint-embeddings"] },
        { "endpoints.web.enabled": false, "endpoints.embeddings.enabled": false },
      ];
      for (const missing of ways) {
        const host = await startTestHost({
          plugins: officialPlugins(["bundle-standard", "provider-scripted"]),
          settings: { storage: { type: "memory" }, ...missing },
        });
        try {
          const line = await fetch(host.url, { headers: { Accept: "text/html" } });
          expect(await line.text()).to.equal("Ollama is running");
          const body = { model: "embedded/minilm:latest", prompt: "a hut" };
          const older = await host.json<{ embedding: number[] }>("POST", "/api/embeddings", body);
          expect(older.body.embedding).to.have.lengthOf(384);
          const wrong = await host.json("POST", "/api/embeddings", { model: "nobody", input: "x" });
          expect([wrong.status, Object.keys(wrong.body)]).to.deep.equal([400, ["error"]]);
          expect((await host.json("POST", "/v1/embeddings", { ...body, input: "x" })).status).to.equal(404);
        } finally {
          await host.stop();
        }
      }
    },
  );

  verifies("ollama:refused", "is gone with its group, and so is the prompt of /api/embeddings", async () => {
    await stage.host.json("PATCH", "/api/preferences", { "endpoints.ollama.enabled": false });
    const statuses = [
      (await fetch(stage.at("/api/version"))).status,
      (await stage.post("/api/embeddings", { model, prompt: "x" })).status,
      (await fetch(stage.at("/"))).headers.get("content-type")?.split(";")[0],
    ];
    await stage.host.json("PATCH", "/api/preferences", { "endpoints.ollama.enabled": null });
    expect(statuses).to.deep.equal([404, 400, "text/html"]);
  });
});
