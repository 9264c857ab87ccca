import { expect } from "chai";
import { AppError, type Caller, type Json, type JsonObject, type Preference, type Write } from "@pergola/sdk";
import type { PreferenceHost } from "@pergola/sdk/host";
import { endpointRequest } from "@pergola/sdk/testing";
import { openPreferences } from "../stored-preferences.ts";

const person: Caller = endpointRequest().caller;

/** A table of plain numbers without limits, and a store that keeps its commits. */
function scene(stored: Readonly<Record<string, Json>> = {}) {
  const values = new Map<string, Pick<Preference, "value" | "from">>([
    ["a", { value: 1, from: "default" }],
    ["b", { value: 1, from: "default" }],
    ["fixed", { value: 1, from: "file" }],
    ["server.remote_admin", { value: false, from: "default" }],
  ]);
  const commits: (readonly Write[])[] = [];
  const logged: string[] = [];
  const faults = { store: undefined as Error | undefined };
  const log = (_: object, message: string): void => void logged.push(message);
  const known = (given: JsonObject, wanted: boolean) =>
    Object.entries(given).filter(([key]) => values.has(key) === wanted);
  const host = {
    table: {
      get: (key: string) => values.get(key)?.value,
      list: () => [...values].map(([key, one]) => ({ key, schema: {}, ...one })),
      isDefault: (key: string) => values.get(key)?.from === "default",
      prepare: async () => undefined,
      read: (given: JsonObject) => ({
        changes: known(given, true).map(([key, value]) => ({ key, input: value, value })),
        faults: known(given, false).map(([key]) => ({
          key,
          code: "unknown_preference",
          message: `There is no ${key}.`,
        })),
        secrets: [],
      }),
      set: (changes: readonly { readonly key: string; readonly input: Json; readonly value: Json }[]) =>
        changes.forEach(({ key, input, value }) =>
          values.set(key, input === null ? { value: 1, from: "default" } : { value, from: "stored" }),
        ),
    },
    stores: {
      storage: {
        collection: () => ({
          find: async () => Object.entries(stored).map(([id, value]) => ({ id, value })),
        }),
      },
      commit: async (writes: readonly Write[]) => {
        if (faults.store !== undefined) throw faults.store;
        commits.push(writes);
      },
    },
    learnSecrets: () => undefined,
    check: (given: JsonObject) => {
      if (given["a"] === 666)
        throw new AppError({ code: "invalid_value", message: "The host could not start." });
    },
    log: { debug: log, info: log, warn: log, error: log },
  } as unknown as PreferenceHost;
  return { host, values, commits, logged, faults };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error: unknown) => (AppError.is(error) ? error.code : String(error)),
  );

describe("stored preferences", () => {
  it("are in force once they are open; what is fixed, unknown or dangerous is left out", async () => {
    const { host, values, logged } = scene({ a: 2, b: 3, fixed: 4, gone: 5 });
    const preferences = await openPreferences(host);
    expect([preferences.get("a"), preferences.get("b"), preferences.get("fixed")]).to.deep.equal([2, 3, 1]);
    expect(logged).to.deep.equal(["A stored preference is left out: There is no gone."]);
    const other = scene({ a: 666 });
    await openPreferences(other.host);
    expect([other.values.get("a"), other.logged]).to.deep.equal([
      { value: 1, from: "default" },
      ["A stored preference is left out: The host could not start."],
    ]);
    expect(values.get("b")).to.deep.equal({ value: 3, from: "stored" });
  });

  it("are one commit, and nothing is in force when it fails", async () => {
    const { host, commits, faults } = scene();
    const preferences = await openPreferences(host);
    const told: (readonly string[])[] = [];
    preferences.watch((keys) => void told.push(keys));
    faults.store = new Error("the disk is full");
    expect(await codeOf(preferences.update({ a: 2, b: 2 }, person))).to.equal("Error: the disk is full");
    expect([preferences.get("a"), preferences.get("b"), told]).to.deep.equal([1, 1, []]);
    faults.store = undefined;
    await preferences.update({ a: 2, b: null }, person);
    expect(commits).to.deep.equal([
      [
        { collection: "service-preferences/values", put: { id: "a", value: 2 } },
        { collection: "service-preferences/values", delete: "b" },
      ],
    ]);
    expect(told).to.deep.equal([["a", "b"]]);
  });

  it("are guarded before they are stored", async () => {
    const { host, commits } = scene();
    const preferences = await openPreferences(host);
    preferences.guard(({ b }) => {
      if (b === 13) throw new AppError({ code: "invalid_value", message: "b is no such number." });
    });
    expect(await codeOf(preferences.update({ a: 2, b: 13 }, person))).to.equal("invalid_value");
    expect(await codeOf(preferences.update({ a: 666 }, person))).to.equal("invalid_value");
    expect(await codeOf(preferences.update({ fixed: 2 }, person))).to.equal("set_elsewhere");
    expect([commits, preferences.get("a")]).to.deep.equal([[], 1]);
  });

  it("of nobody are taken away by the person only", async () => {
    const { host, commits } = scene({ gone: 5 });
    const preferences = await openPreferences(host);
    expect(
      await codeOf(
        preferences.update(
          { gone: null },
          { ...endpointRequest().caller, kind: "token", remote: true, id: "there" },
        ),
      ),
    ).to.equal("unknown_preference");
    expect(await codeOf(preferences.update({ gone: null }, person))).to.equal("ok");
    expect(await codeOf(preferences.update({ gone: null }, person))).to.equal("unknown_preference");
    expect(commits).to.deep.equal([[{ collection: "service-preferences/values", delete: "gone" }]]);
  });

  it("are worked out from what stands when their turn has come", async () => {
    const { host } = scene();
    const preferences = await openPreferences(host);
    const oneMore = () => preferences.update(() => ({ a: preferences.get<number>("a") + 1 }), person);
    await Promise.all([oneMore(), codeOf(preferences.update({ nobody: 1 }, person)), oneMore(), oneMore()]);
    expect(preferences.get("a")).to.equal(4);
  });

  it("stay changed, and are told to the others, when one who watches fails", async () => {
    const { host, logged } = scene();
    const preferences = await openPreferences(host);
    const told: string[] = [];
    preferences.watch(() => Promise.reject(new Error("not today")));
    preferences.watch((keys) => void told.push(...keys));
    await preferences.update({ a: 2 }, person);
    expect([preferences.get("a"), told, logged.length]).to.deep.equal([2, ["a"], 1]);
  });
});
