import { expect } from "chai";
import { PluginError } from "@pergola/sdk";
import type { Storage } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { silentLog } from "./support/silent-log.ts";

describe("storage-sqlite, run from its sources", function () {
  this.timeout(20_000);

  const [definition] = plugin.storages ?? [];
  const open = async (dataDirectory: string): Promise<Storage> => {
    if (definition === undefined) throw new Error("the plugin brings no storage");
    return definition.open({}, { dataDirectory, log: silentLog });
  };

  it("opens, writes, closes and opens again", async () => {
    const dataDirectory = temporaryFolder();
    const first = await open(dataDirectory);
    await first.collection("notes", { indexes: [] }).put({ id: "a" });
    await first.close();
    const second = await open(dataDirectory);
    expect(await second.collection("notes", { indexes: [] }).get("a")).to.deep.equal({ id: "a", version: 1 });
    await second.close();
  });

  it("refuses a data directory that does not exist", async () => {
    const error: unknown = await open("/nowhere/at/all").catch((refusal: unknown) => refusal);
    expect(PluginError.is(error)).to.equal(true);
    expect((error as PluginError).message).to.include("/nowhere/at/all");
  });
});
