import path from "node:path";
import { expect } from "chai";
import type { Log } from "@pergola/sdk";
import {
  chatReply,
  describeService,
  memoryCollection,
  mockProviderServer,
  startTestHost,
} from "@pergola/sdk/testing";
import { Tally, type ModelTally } from "../tally.ts";

/** The plugin as a host finds it: by its folder, built. */
const plugin = { use: path.resolve(import.meta.dirname, ".."), isolation: "trusted" };

const run = { model: "custom/test", usage: { promptTokens: 10, completionTokens: 5 } };

describe("the tally", () => {
  it("adds runs up by their models, also those that end at the same time", async () => {
    const tally = new Tally(memoryCollection<ModelTally>());
    await Promise.all([tally.add(run), tally.add({ ...run, model: "custom/other" }), tally.add(run)]);
    expect(await tally.add(run)).to.deep.equal({ id: "custom/test", runs: 3, tokens: 45 });
  });
});

describe("pergola-service-sample-name in a host", function () {
  this.timeout(30_000);

  it("counts a run when it ends", async () => {
    const ignore = (): void => undefined;
    let note: Log["info"] = ignore;
    const counted = new Promise<object>((resolve) => {
      note = (fields, message) => message === "A run was counted" && resolve(fields);
    });
    const model = await mockProviderServer(chatReply([{ text: "Hello." }, { usage: run.usage }]));
    const host = await startTestHost({
      plugins: ["@pergola/bundle-standard", plugin],
      settings: { "providers.list": [{ type: "custom", base_url: model.baseUrl }] },
      log: { debug: ignore, info: note, warn: ignore, error: ignore },
    });
    const messages = [{ role: "user", content: "Hello" }];
    await host.json("POST", "/v1/chat/completions", { model: "custom/test", messages });
    const fields = await counted;
    await host.stop();
    await model.close();
    expect(fields).to.include({ id: "custom/test", runs: 1, tokens: 15 });
  });
});

describeService({ id: "pergola-service-sample-name", plugin });
