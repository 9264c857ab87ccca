import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { startTestHost, type TestHost } from "@pergola/sdk/testing";
import { card } from "./scene.ts";

interface Answer {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
}

describe("contacts_operations in a host", () => {
  let host: TestHost;
  const call = async (tool: string, args: object, isUserInitiated = false): Promise<Answer> =>
    (await host.json<Answer>("POST", "/debug/mcp/execute", { tool, arguments: args, isUserInitiated })).body;

  before(async () => {
    const plugins = [
      "storage-memory",
      "bridge-machine",
      "policy-authorization",
      "endpoint-debug",
      "tool-contacts-operations",
    ];
    host = await startTestHost({
      plugins: plugins.map((id) => `@pergola/${id}`),
      settings: { storage: { type: "memory" } },
    });
  });

  after(async () => host.stop());

  it("reads its folder in the data directory without a question, and writes there after one", async () => {
    const folder = path.join(host.dataDirectory, "contacts");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "a.vcf"), card("VERSION:3.0", "UID:a", "FN:Ann"));
    expect((await call("search_contacts", { query: "ann" })).result).to.contain("### Ann");
    expect((await call("create_contact", { first_name: "Bob" })).error_code).to.equal("approval_required");
    expect(readdirSync(folder)).to.deep.equal(["a.vcf"]);
    expect((await call("create_contact", { first_name: "Bob" }, true)).success).to.equal(true);
    expect(readdirSync(folder)).to.have.length(2);
  });
});
