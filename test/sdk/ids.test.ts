import { expect } from "chai";
import { newId } from "@pergola/sdk";

describe("ids", () => {
  it("made one after the other stand in that order, and differ in their first eight characters", () => {
    for (const make of [newId.uuid, newId.run]) {
      const made = Array.from({ length: 2000 }, make);
      const [first = "", ...others] = made.map((id) => id.replace(/^run_/, "").slice(0, 8));
      // They come round every 71 minutes: at most once here.
      const falls = others.filter((begin, at) => begin <= (at === 0 ? first : (others[at - 1] ?? "")));
      expect(falls.length).to.be.at.most(1);
      expect(new Set([first, ...others]).size).to.equal(made.length);
    }
  });

  it("of records have the form of a UUID of version 4", () => {
    expect(newId.uuid()).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
