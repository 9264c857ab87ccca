import { expect } from "chai";
import { toolFailure } from "@pergola/kit-dav/testing";
import { listGroups } from "../operations/list-groups.ts";
import { searchGroup } from "../operations/search-group.ts";
import { search } from "../operations/search.ts";
import { card, names, scene } from "./scene.ts";

const person = (uid: string, name: string, ...more: readonly string[]): string =>
  card("VERSION:3.0", `UID:${uid}`, `FN:${name}`, ...more);

describe("groups of contacts", () => {
  const files = {
    "a.vcf": person("a", "Ann", "CATEGORIES:Family,Friends") + person("b", "Bob", "CATEGORIES:friends"),
    "c.vcf": card("VERSION:4.0", "UID:urn:uuid:c", "FN:Cid"),
    "g.vcf": card("VERSION:4.0", "UID:g", "KIND:group", "FN:Club", "MEMBER:urn:uuid:c", "MEMBER:urn:uuid:a"),
    "h.vcf": person("h", "Team", "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:b"),
  };

  it("are the categories, and the cards of groups", async () => {
    expect(await scene(files).run(listGroups)).to.equal(
      "- Club: 2 contacts\n- Family: 1 contact\n- Friends: 2 contacts\n- Team: 1 contact",
    );
    expect(names(await scene(files).run(searchGroup, { group_name: "FRIENDS" }))).to.deep.equal([
      "Ann",
      "Bob",
    ]);
    expect(names(await scene(files).run(searchGroup, { group_name: "club" }))).to.deep.equal(["Ann", "Cid"]);
    expect(names(await scene(files).run(search, { query: "team" }))).to.deep.equal(["Bob"]);
  });

  it("are named when one is unknown", async () => {
    const { code, hint } = await toolFailure(scene(files).run(searchGroup, { group_name: "x" }));
    expect([code, hint]).to.deep.equal(["not_found", 'Existing: "Club", "Family", "Friends", "Team".']);
    expect(await scene().run(listGroups)).to.equal("There are no groups.");
  });

  it("show 30 contacts and say how many there are", async () => {
    const many = Array.from({ length: 31 }, (_, n) => person(String(n), `Bob ${n}`, "CATEGORIES:All")).join(
      "",
    );
    const { data, message } = await searchGroup.run(
      { group_name: "all" } as never,
      scene({ "a.vcf": many }).call(),
    );
    expect([names(data as string).length, message?.slice(0, 26)]).to.deep.equal([
      30,
      "31 contacts. The first 30 ",
    ]);
  });
});
