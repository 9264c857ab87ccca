import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { eventually } from "./scene.ts";

interface Executed {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
}

describe("system_search in a host", function () {
  this.timeout(60_000);
  const root = temporaryFolder("pergola-root-");
  let host: TestHost;

  before(async () => {
    mkdirSync(path.join(root, "letters"));
    writeFileSync(path.join(root, "letters", "fern.txt"), "chlorophyll");
    const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };
    const data = temporaryFolder("pergola-data-");
    writeFileSync(path.join(root, "token.txt"), "chlorophyll");
    const settings = { tools: { system_search: { roots: [root, data] } } };
    host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings,
      dataDirectory: data,
    });
  });
  after(() => host.stop());

  const call = async (tool: string, args: object): Promise<Executed> =>
    (await host.json<Executed>("POST", "/debug/mcp/execute", { tool, arguments: args })).body;

  it("T12: answers by every name, with what lies below the roots, over a restart too", async () => {
    for (const name of [
      "search_content",
      "system_search.search_content",
      "Spotlight_Search.search_content",
    ]) {
      const found = await eventually(
        () => call(name, { query: "chlorophyll", maxResults: "1" }),
        ({ result }) => result.includes('"totalCount":2'),
      );
      expect(found.result, name).to.include('"totalCount":2');
    }
    await host.restart();
    expect((await call("search_files", { query: "fern" })).result).to.contain(
      path.join(root, "letters", "fern.txt"),
    );
  });

  it("A25: keeps to the roots, and never shows the service's data", async () => {
    expect((await call("search_files", { query: "pergola" })).result).to.contain('"totalCount":0');
    expect((await call("search_files", { query: "*.sqlite" })).result).to.contain('"totalCount":0');
    expect((await call("search_files", { query: "x", directory: "/usr" })).error_code).to.equal(
      "invalid_value",
    );
    expect((await call("search_files", { query: "x", directory: host.dataDirectory })).error_code).to.equal(
      "permission_denied",
    );
  });

  it("T13, T14: takes numbers as text, and refuses what no schema knows", async () => {
    expect((await call("recent_files", { hours: "2", file_type: "document" })).result).to.contain("fern.txt");
    expect((await call("recent_files", { file_type: "thing" })).error_code).to.equal("invalid_value");
    expect((await call("search_files", {})).error_code).to.equal("missing_required");
  });
});
