import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { answer, stopWeb, web } from "./web.ts";

const own = { use: fileURLToPath(new URL("..", import.meta.url)), isolation: "trusted" };

interface Called {
  readonly body: { readonly success: boolean; readonly result: string; readonly error_code?: string };
}

describe("web_operations in a host", function () {
  this.timeout(60_000);
  let host: TestHost | undefined;
  afterEach(async () => {
    await host?.stop();
    await stopWeb();
  });

  it("reaches the SearXNG that the settings name, and no other private address", async () => {
    const { origin, asked } = await web({
      "/search": { headers: { "content-type": "application/json" }, body: answer("searxng.json") },
    });
    const settings = { tools: { web: { searxng_url: origin, search_keys: { brave: { env: "BRAVE" } } } } };
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", own],
      settings,
      environment: { BRAVE: "brave-key" },
    });
    const call = (name: string, args: object) =>
      host!.json<Called["body"]>("POST", "/debug/mcp/execute", { toolName: name, arguments: args });
    const found = await call("search_web", { query: "stone bridges" });
    expect(found.body).to.include({ success: true });
    expect(JSON.parse(found.body.result)).to.include({ engine: "searxng" });
    expect(asked).to.have.length(1);
    const refused = await call("fetch_url", { url: "http://127.0.0.1:1/" });
    expect(refused.body).to.include({ success: false, error_code: "permission_denied" });
  });
});
