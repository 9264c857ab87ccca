import { expect } from "chai";
import type { Parts } from "@pergola/sdk/host";
import plugin from "../index.ts";

describe("feature-folders", () => {
  it("makes its part of the storage alone: the other parts may not be there yet", () => {
    const opened: string[] = [];
    const storage = { collection: (name: string) => opened.push(name) };
    plugin.parts?.folders?.({ stores: { storage } } as unknown as Parts);
    expect(opened).to.deep.equal(["folders", "folders_names"]);
  });
});
