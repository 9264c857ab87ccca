import { expect } from "chai";
import type { AppError, Collection } from "@pergola/sdk";
import { isUuid, type MiniPrompt, type Parts, type PromptLibrary } from "@pergola/sdk/host";
import { memoryCollection, testClock } from "@pergola/sdk/testing";
import { Prompts } from "../prompts.ts";

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );

function open() {
  const clock = testClock();
  const collections = new Map<string, Collection<never>>();
  const collection = (name: string) => {
    const kept = memoryCollection<never>();
    const checked = (id: string): string =>
      isUuid(id) ? id : expect.fail(`the store was asked for "${id}"`);
    collections.set(name, {
      ...kept,
      get: async (id) => kept.get(checked(id)),
      delete: async (id) => kept.delete(checked(id)),
    });
    return collections.get(name);
  };
  const parts = { stores: { storage: { collection } }, timestamp: () => new Date(clock.now()).toISOString() };
  return { prompts: new Prompts(parts as unknown as Parts), clock, collections };
}

const namesOf = async (library: PromptLibrary<MiniPrompt>, page = {}) =>
  (await library.list(page)).items.map(({ name }) => name);

describe("prompts", () => {
  it("keep each kind in a collection of its own, under the plugin's id", () => {
    expect([...open().collections.keys()].toSorted()).to.deep.equal([
      "service-prompts/mini",
      "service-prompts/personalities",
      "service-prompts/system",
    ]);
  });

  it("show what was given and what the service keeps, and nothing of the store's", async () => {
    const { prompts } = open();
    const made = await prompts.mini.create({ name: "Brief", content: "Be brief." });
    expect(made).to.have.all.keys(
      "id",
      "name",
      "content",
      "displayOrder",
      "builtIn",
      "createdAt",
      "modifiedAt",
    );
    for (const found of [
      await prompts.mini.get(made.id),
      await prompts.mini.find("brief"),
      (await prompts.mini.list()).items[0],
    ])
      expect(found).to.deep.equal(made);
  });

  it("are found by id before name, built-in ones first, the oldest of those that share a name", async () => {
    const { prompts, clock } = open();
    const first = await prompts.mini.create({ name: "Same  name", content: "1", displayOrder: 9 });
    clock.advance(1000);
    const second = await prompts.mini.create({ name: "same NAME ", content: "2", displayOrder: 1 });
    expect((await prompts.mini.find(" SAME name"))?.content).to.equal("1");
    await prompts.mini.delete(first.id);
    expect((await prompts.mini.find("same name"))?.content).to.equal("2");
    await prompts.mini.create({ name: second.id, content: "misleading" });
    expect((await prompts.mini.find(second.id))?.content).to.equal("2");
    await prompts.system.create({ name: "Minimal", content: "mine" });
    expect((await prompts.system.find("minimal"))?.builtIn).to.equal(true);
    const pirate = await prompts.personalities.create({ name: "Default", instructions: "mine" });
    expect((await prompts.personalities.find("default"))?.name).to.equal("Assistant");
    await prompts.personalities.create({ name: "butler", instructions: "mine" });
    expect((await prompts.personalities.find("butler"))?.builtIn).to.equal(true);
    expect(await prompts.personalities.find(pirate.id)).to.deep.equal(pirate);
  });

  it("are found under their new name alone once they are renamed", async () => {
    const { prompts } = open();
    const { id } = await prompts.system.create({ name: "Poet", content: "x" });
    await prompts.system.update(id, { name: "Bard" });
    expect([(await prompts.system.find("bard"))?.id, await prompts.system.find("poet")]).to.deep.equal([
      id,
      undefined,
    ]);
  });

  it("are named by no empty or broken text", async () => {
    const { prompts } = open();
    await prompts.mini.create({ name: "x", content: "x" });
    for (const nothing of ["", "  ", "\0", "\ud800", "x".repeat(1_000_000)])
      for (const library of [prompts.system, prompts.mini, prompts.personalities]) {
        expect(await library.find(nothing)).to.equal(undefined);
        expect((await failure(library.get(nothing)))?.code).to.equal("not_found");
        expect((await failure(library.delete(nothing)))?.code).to.equal("not_found");
      }
  });

  it("note when they were made and when they were last changed", async () => {
    const { prompts, clock } = open();
    const made = await prompts.mini.create({ name: "a", content: "x" });
    clock.advance(60_000);
    const changed = await prompts.mini.update(made.id, { content: "y" });
    expect(changed).to.deep.equal({
      ...made,
      content: "y",
      modifiedAt: new Date(Date.parse(made.createdAt) + 60_000).toISOString(),
    });
  });

  it("stand in their order, new ones behind", async () => {
    const { prompts } = open();
    for (const [name, order] of [
      ["a", {}],
      ["b", { displayOrder: -5 }],
      ["c", { displayOrder: 40 }],
      ["d", {}],
    ] as const)
      await prompts.mini.create({ name, content: "x", ...order });
    expect(await namesOf(prompts.mini)).to.deep.equal(["b", "a", "c", "d"]);
    expect((await prompts.mini.find("d"))?.displayOrder).to.equal(41);
    expect(await namesOf(prompts.mini, { limit: 2, offset: 1 })).to.deep.equal(["a", "c"]);
  });

  it("are paged over the built-in ones and the others as over one list", async () => {
    const { prompts } = open();
    for (const name of ["y", "x"]) await prompts.system.create({ name, content: name });
    const all = (await prompts.system.list()).items;
    expect(all.map(({ name }) => name)).to.deep.equal(["Default", "Autonomous", "Minimal", "x", "y"]);
    for (let offset = 0; offset < 7; offset++)
      for (let limit = 1; limit < 7; limit++)
        expect(await prompts.system.list({ limit, offset })).to.deep.equal({
          items: all.slice(offset, offset + limit),
          count: 5,
        });
  });

  it("keep all changes that come at once", async () => {
    const { prompts } = open();
    const { id } = await prompts.mini.create({ name: "a", content: "x" });
    await Promise.all([
      prompts.mini.update(id, { name: "b" }),
      prompts.mini.update(id, { content: "y" }),
      prompts.mini.update(id, {}),
    ]);
    expect(await prompts.mini.get(id)).to.include({ name: "b", content: "y" });
    const outcomes = await Promise.all([
      prompts.mini.delete(id),
      failure(prompts.mini.update(id, { name: "c" })),
      failure(prompts.mini.delete(id)),
    ]);
    expect(outcomes.map((error) => (error as AppError | undefined)?.code)).to.deep.equal([
      undefined,
      "not_found",
      "not_found",
    ]);
    expect((await prompts.mini.list()).count).to.equal(0);
  });

  it("of every id are unlike each other, and the built-in ones are whole", async () => {
    const { prompts } = open();
    for (const texts of [(await prompts.system.list()).items, (await prompts.personalities.list()).items]) {
      expect(new Set(texts.map(({ id }) => id)).size).to.equal(texts.length);
      expect(new Set(texts.map(({ name }) => name.toLowerCase())).size).to.equal(texts.length);
      for (const text of texts) expect(Object.values(text)).to.not.include("");
    }
    const { items } = await prompts.personalities.list();
    expect(items.every(({ id }) => /^0{8}-0{4}-0{4}-0{4}-0{10}\d\d$/.test(id))).to.equal(true);
  });

  it("of the system stay small", async () => {
    const { prompts } = open();
    const size = async (word: string) => Buffer.byteLength((await prompts.system.get(word)).content);
    expect(await size("default")).to.be.below(2048);
    expect(await size("minimal")).to.be.below(256);
    expect((await prompts.system.get("autonomous")).content).to.contain(
      (await prompts.system.get("default")).content,
    );
  });
});
