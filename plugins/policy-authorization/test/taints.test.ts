import { expect } from "chai";
import type { Services } from "@pergola/sdk";
import { memoryCollection } from "@pergola/sdk/testing";
import type { Rules } from "../rules.ts";
import { Taints, type Taint } from "../taints.ts";
import { call, context, touched } from "./calls.ts";

const run = { id: "run_1" } as const;
const rules = { paths: () => undefined } as unknown as Rules;
const fromOutside = call({ operation: "fetch_url", fromOutside: true });
const ofAnother = call({ operation: "read_file", effect: "read", paths: [touched("/etc/hosts", "read")] });

/** What several hosts know of the same run. */
function openHosts() {
  const collection = memoryCollection<Taint>();
  const conversations = { get: async () => ({}), messages: async () => [] };
  const services = { conversations, mcpServers: undefined } as unknown as Services;
  const open = () => new Taints(() => ({ services, taintsFor: () => collection }));
  return { collection, one: open(), two: open() };
}

describe("what a run has taken in", () => {
  it("goes with it to another host, and back", async () => {
    const { one, two } = openHosts();
    await one.note(fromOutside, context(), rules);
    await one.forget({ ...run, status: "interrupted" });
    await two.note({ ...ofAnother, paths: [{ ...ofAnother.paths[0]!, place: "outside" }] }, context(), rules);
    await two.forget({ ...run, status: "interrupted" });
    const taint = await one.find(context());
    expect([taint?.text, taint?.read]).to.deep.equal(["file_operations.fetch_url", "/etc/hosts"]);
  });

  it("is forgotten when the run has ended", async () => {
    const { one, two, collection } = openHosts();
    await one.note(fromOutside, context(), rules);
    await one.forget({ ...run, status: "ended" });
    expect(await collection.count({})).to.equal(0);
    expect((await two.find(context()))?.text).to.equal(null);
  });
});
