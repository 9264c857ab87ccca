import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { checkRule } from "../../../sdk/testing/conformance/rule.ts";
import { processFaultRules } from "../../../sdk/testing/storage/process-faults.ts";
import { root } from "../../architecture/tree.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";
import { expectAllBroken, verdictOf } from "./broken-rules.ts";

/** A storage that writes its records as lines of a file; `keep` is how. */
const codeOf = (keep: string): string => `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
const kept = [];
export default {
  storages: [{
    type: "lines",
    open(settings, { dataDirectory }) {
      const file = path.join(dataDirectory, "lines.txt");
      const text = existsSync(file) ? readFileSync(file, "utf8") : "";
      const ids = new Set(text.split("\\n"));
      const keep = (ids) => { ${keep} };
      return {
        collection: () => ({ get: async (id) => (ids.has(id) ? { id, version: 1 } : undefined) }),
        commit: async (writes) => keep(writes.map(({ put }) => put.id)),
        search: () => ({ index: async () => {}, query: async () => [] }),
        blobs: { put: async () => {} },
        close: async () => {},
      };
    },
  }],
};`;

const sound = `appendFileSync(file, ids.join("\\n") + "\\n");`;

const broken: Readonly<Record<string, readonly [keep: string, said: string]>> = {
  crash: [`kept.push(...ids);`, "0 commits are there of 20 that were told to be stored"],
  "undeclared access": [
    `appendFileSync(path.join(os.homedir(), "lines-of-a-test"), "x"); ${sound}`,
    "lines-of-a-test, and may write its data directory alone.",
  ],
};

describe("the conformance kit of storages, in a process of its own", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const lines = (id: string, keep: string) => ({
    folder: writePlugin(folder, {
      id,
      kind: "storage",
      provides: { storages: ["lines"] },
      code: codeOf(keep),
    }),
  });

  it("has a storage that breaks each rule", () => expectAllBroken(processFaultRules, broken));

  it("lets a sound storage pass, of others and of ours", async () => {
    for (const rule of processFaultRules) {
      await checkRule(rule, lines("storage-sound", sound));
      await checkRule(rule, { folder: path.join(root, "plugins/storage-sqlite") });
    }
  });

  it("asks for the settings of a new store for each rule", async () => {
    let stores = 0;
    const storage = { ...lines("storage-of-a-server", sound), settings: () => ({ store: (stores += 1) }) };
    for (const rule of processFaultRules) await checkRule(rule, storage);
    expect(stores).to.equal(processFaultRules.length);
  });

  for (const [rule, [keep, said]] of Object.entries(broken))
    it(`finds a storage that breaks the rule "${rule}"`, async () => {
      const storage = lines(`storage-breaks-${rule.replace(" ", "-")}`, keep);
      expect(await verdictOf(processFaultRules, rule, storage)).to.include(said);
    });
});
