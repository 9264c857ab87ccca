import { expect } from "chai";
import type { Parts } from "@pergola/sdk/host";
import plugin from "../index.ts";

describe("feature-topics", () => {
  it("makes its part of the storage alone: the other parts may not be there yet", () => {
    const opened: string[] = [];
    const storage = { collection: (name: string) => opened.push(name) };
    plugin.parts?.topics?.({ stores: { storage } } as unknown as Parts);
    expect(opened).to.deep.equal(["topics", "topics_names"]);
  });
});
