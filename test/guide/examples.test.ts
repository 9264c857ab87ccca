import { expect } from "chai";
import { collectEvents } from "@pergola/sdk/testing";
import { loadCatalogue } from "../bench/guide/catalogue.ts";
import { openGuide } from "../bench/guide/guide.ts";

describe("the command line's own example", function () {
  this.timeout(240_000);

  it("is carried out by the guide with the standard tools", async () => {
    const guide = await openGuide();
    const call = {
      model: "guide",
      messages: [{ role: "user" as const, content: "list the files here" }],
      tools: await loadCatalogue(),
      sampling: {},
    };
    const { events } = await collectEvents(guide.stream(call, AbortSignal.timeout(60_000)));
    await guide.close?.();
    const found = events.find((event) => event.type === "tool_call");
    expect(found?.name).to.equal("file_operations");
    expect(JSON.parse(found?.arguments ?? "{}")).to.deep.equal({ operation: "list_dir", filePath: "." });
  });
});
