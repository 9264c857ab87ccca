import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { jsonReply, mockProviderServer, startTestHost, type MockProviderServer } from "@pergola/sdk/testing";
import { findLocalServers, type LocalServer } from "../../../core/cli/local-servers.ts";
import { freePort } from "../../support/pergola.ts";

describe("model servers on this computer", () => {
  let ollama: MockProviderServer;
  let servers: readonly LocalServer[];
  before(async () => {
    ollama = await mockProviderServer(jsonReply({}), {
      models: ["nomic-embed-text", "qwen3:8b", "bad id; rm -rf /"],
    });
    servers = [
      { name: "Ollama", type: "ollama", url: ollama.url },
      { name: "LM Studio", type: "lmstudio", url: `http://127.0.0.1:${await freePort()}` },
    ];
  });
  after(() => ollama.close());

  it("are found where they answer, with the lines for the settings file", async () => {
    const [found, ...others] = await findLocalServers([], "/home/me/pergola.config.json", servers);
    expect(others).to.deep.equal([]);
    expect(found?.name).to.equal("Ollama");
    expect(found?.advice).to.equal(
      'to use it, add to /home/me/pergola.config.json: {"providers.list":[{"type":"ollama"}],"default_model":"ollama/qwen3:8b"}',
    );
    expect(ollama.requests, "asked for their models and for nothing else").to.deep.equal([]);
  });

  it("are offered with one command where there is no settings file; the command does it", async () => {
    const [found] = await findLocalServers([], undefined, servers);
    expect(found?.advice).to.equal(
      `to use it: PERGOLA_PROVIDERS_LIST='[{"type":"ollama"}]' PERGOLA_DEFAULT_MODEL='ollama/qwen3:8b' pergola start`,
    );
    const variables = [...(found?.advice ?? "").matchAll(/(PERGOLA_\w+)='([^']*)'/g)].map(
      ([, name = "", value = ""]) => [name, value],
    );
    const host = await startTestHost({
      environment: Object.fromEntries(variables) as Record<string, string>,
    });
    const providers = await host.services.models.providers();
    expect(providers.map(({ type }) => type)).to.include("ollama");
    expect(host.services.preferences.get("default_model")).to.equal("ollama/qwen3:8b");
    await host.stop();
  });

  it("are not offered where a provider uses them already", async () => {
    expect(
      await findLocalServers([{ type: "ollama", baseUrl: "http://10.0.0.2:11434" }], undefined, servers),
    ).to.deep.equal([]);
    const localhost = ollama.url.replace("127.0.0.1", "localhost");
    expect(
      await findLocalServers([{ type: "custom", baseUrl: localhost }], undefined, servers),
    ).to.deep.equal([]);
  });

  for (const text of ["{}", '{"data":null}', "[]", '"hello"', "null", "<html>"]) {
    it(`are no finding where something else answers: ${text}`, async () => {
      const other = createServer((_, response) => response.end(text)).listen(0, "127.0.0.1");
      await once(other, "listening");
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const found = await findLocalServers([], undefined, [{ name: "Ollama", type: "ollama", url }]);
      other.closeAllConnections();
      other.close();
      expect(found).to.deep.equal([]);
    });
  }
});
