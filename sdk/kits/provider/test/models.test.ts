import { expect } from "chai";
import { chooseModels, collectPages, listNamed, uniqueById } from "../index.ts";
import { failureOf } from "./support.ts";

const [a, b] = [{ id: "a", contextWindow: 10 }, { id: "b" }];

describe("the models of a listing", () => {
  it("are all of them, or those that the settings name", () => {
    expect(chooseModels([], [a, b])).to.deep.equal([a, b]);
    expect(chooseModels(["x", "a"], [a, b])).to.deep.equal([{ id: "x" }, a]);
  });

  it("are the names alone where the listing fails, which is thrown without names", async () => {
    const fail = async (): Promise<never> => Promise.reject(new Error("no listing"));
    expect(await listNamed(["a"], fail)).to.deep.equal([{ id: "a" }]);
    expect(await listNamed(["a"], async () => [a, b])).to.deep.equal([a]);
    expect(await failureOf(listNamed([], fail))).to.have.property("message", "no listing");
  });

  it("are collected page by page, each id once, the last one standing", async () => {
    const pages: Readonly<Record<string, { items: readonly { id: string }[]; next: string }>> = {
      "": { items: [{ id: "a" }, b], next: "2" },
      "2": { items: [a], next: "" },
    };
    const cursors: string[] = [];
    const models = await collectPages(async (cursor) => {
      cursors.push(cursor);
      return pages[cursor]!;
    });
    expect([cursors, models]).to.deep.equal([
      ["", "2"],
      [a, b],
    ]);
  });

  it("end with a cursor that does not move, and after 20 pages", async () => {
    let loads = 0;
    await collectPages(async () => ({ items: [{ id: String(loads++) }], next: "same" }));
    expect(loads).to.equal(2);
    await collectPages(async () => ({ items: [], next: String(loads++) }));
    expect(loads).to.equal(22);
  });

  it("have each id once", () => {
    expect(uniqueById([b, { id: "a" }, a])).to.deep.equal([b, a]);
  });
});
