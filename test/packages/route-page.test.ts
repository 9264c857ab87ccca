import path from "node:path";
import { expect } from "chai";
import { startTestHost } from "@pergola/sdk/testing";
import { pageReader } from "../support/page-reader.ts";

const check = "npx pergola plugins check . --trusted";

/** What docs/add-a-route.md tells its reader to write, written into an empty folder. */
describe("the page on routes", function () {
  this.timeout(120_000);
  const reader = pageReader("docs/add-a-route.md");

  it("names each file, and the commands for them", () => {
    expect(reader.files).to.deep.equal([
      "package.json",
      "plugin.json",
      "routes.ts",
      "index.ts",
      "pergola.config.json",
      "test/routes.test.ts",
    ]);
    expect(reader.commands).to.include.members(["npm run build", check, "npm test"]);
  });

  it("shows code whose types are right, and mistakes in it are found", async () => {
    const text = reader.read("routes.ts");
    const mistakes = [
      ["body.minimumLength", "body.minimumlength"],
      ["params.conversationId", "params.id"],
      ["=== role)", '=== role && role === "system")'],
      ['needs: "topics", ', ""],
    ] as const;
    for (const [right] of mistakes) expect(text).to.contain(right);
    const wrong = mistakes.reduce((now, [right, mistake]) => now.replace(right, mistake), text);
    reader.write("wrong.ts", wrong);
    const faults = await reader.typeFaults("routes.ts", "wrong.ts", "index.ts", "test/routes.test.ts");
    expect(faults).to.deep.equal(mistakes.map(() => "wrong.ts"));
  });

  it("shows tests that pass", async () => {
    const said = await reader.run("npm test");
    expect(said).to.match(/4 passing/);
    expect(said).not.to.contain("failing");
  });

  it("shows settings with which the host serves the routes", async () => {
    await reader.run("npm run build");
    expect(await reader.run(`${check} --no-types`)).to.contain("no fault");
    const { plugins } = JSON.parse(reader.read("pergola.config.json")) as {
      readonly plugins: readonly [string, { readonly use: string; readonly isolation: string }];
    };
    const [bundle, own] = plugins;
    const host = await startTestHost({
      plugins: [bundle, { ...own, use: path.resolve(reader.folder, own.use) }],
    });
    const found = host.services.system.plugins().find(({ id }) => id === "pergola-endpoint-words");
    expect(found).to.include({ state: "running", fault: null });
    const { body: made } = await host.json<{ id: string }>("POST", "/v1/conversations", {});
    const { status } = await host.json("GET", `/api/words/${made.id}?role=assistant`);
    expect(status).to.equal(404);
    const { body } = await host.json<{ paths: object }>("GET", "/openapi.json");
    expect(body.paths).to.include.keys("/api/words", "/api/words/{conversationId}");
    await host.stop();
  });
});
