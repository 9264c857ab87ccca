import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { mockProviderServer, type MockProviderServer } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Detected {
  readonly servers: readonly object[];
}

interface Listed {
  readonly providers: readonly { readonly id: string; readonly key: object; readonly fixed: boolean }[];
}

describe("the servers of models on this computer", () => {
  let stage: Stage;
  let ollama: MockProviderServer;
  before(async () => {
    ollama = await mockProviderServer([], { models: ["qwen3:8b", "bad id\u0007"] });
    stage = await openStage();
  });
  after(async () => {
    await stage.end();
    await ollama.close();
  });

  const look = async (servers: object): Promise<Detected> => {
    const set = await stage.host.json("PATCH", "/api/preferences", { "providers.local_servers": servers });
    expect(set.status).to.equal(200);
    const { status, body } = await stage.host.json<Detected>("POST", "/api/providers/detect");
    expect(status).to.equal(200);
    return body;
  };

  verifies("providers:detect", "are those that answer at the addresses of the setting", async () => {
    const found = await look({ ollama: `${ollama.baseUrl}/`, lmstudio: "http://127.0.0.1:9/v1" });
    expect(found).to.deep.equal({
      servers: [
        { type: "ollama", name: "Ollama", baseUrl: ollama.baseUrl, models: ["qwen3:8b"], configured: false },
      ],
    });
    const known = await look({ lmstudio: stage.provider.baseUrl });
    expect(known.servers).to.have.length(1);
    expect(known.servers[0]).to.include({ type: "lmstudio", configured: true });
  });

  verifies(
    "providers:detect",
    "are not the service itself, nor what is silent or speaks of else",
    async () => {
      const asked: (string | undefined)[] = [];
      const silent = createServer(({ url }) => void asked.push(url)).listen(0, "127.0.0.1");
      const other = createServer((_, answer) => void answer.end('{"data":7}')).listen(0, "127.0.0.1");
      await Promise.all([once(silent, "listening"), once(other, "listening")]);
      const at = (server: typeof silent): string =>
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      try {
        const own = stage.host.url.replace("127.0.0.1", "localhost");
        const servers = { ollama: at(silent), lmstudio: at(other), "remote-llama": `${own}/v1` };
        expect(await look(servers)).to.deep.equal({ servers: [] });
        expect(asked).to.deep.equal(["/v1/models"]);
      } finally {
        silent.closeAllConnections();
        silent.close();
        other.close();
      }
    },
  );

  verifies("providers:key", "is told with its source, and never itself", async () => {
    const { body } = await stage.host.json<Listed>("GET", "/api/providers");
    const [custom] = body.providers;
    expect(custom).to.deep.include({ key: { set: true, from: "file" }, fixed: true });
  });

  verifies("providers:key", "comes from the store, from a customary variable, or is none", async () => {
    const { baseUrl } = stage.provider;
    const settings = { "providers.list": undefined as never };
    const environment = { ANTHROPIC_API_KEY: "sk-canary-key-of-anthropic" };
    const free = await openStage(undefined, { settings, environment });
    try {
      const list = [
        { type: "custom", base_url: baseUrl, api_key: "sk-canary-key-of-custom", id: "stored" },
        { type: "custom", base_url: baseUrl, id: "bare" },
      ];
      const set = await free.host.json("PATCH", "/api/preferences", { "providers.list": list });
      expect(set.status).to.equal(200);
      const { body } = await free.host.json<Listed>("GET", "/api/providers");
      const keys = Object.fromEntries(body.providers.map(({ id, key, fixed }) => [id, { key, fixed }]));
      expect(keys["stored"]).to.deep.equal({ key: { set: true, from: "stored" }, fixed: false });
      expect(keys["bare"]).to.deep.equal({ key: { set: false, from: "none" }, fixed: false });
      expect(keys["anthropic"]).to.deep.equal({ key: { set: true, from: "environment" }, fixed: false });
      expect(JSON.stringify(body)).to.not.include("sk-canary");
    } finally {
      await free.end();
    }
  });
});
