import { expect } from "chai";
import type { Json, ProviderDefinition } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { openProviders } from "../open-providers.ts";

const kind = (type: string, more: Partial<ProviderDefinition> = {}): ProviderDefinition =>
  ({
    type,
    name: type.toUpperCase(),
    prefix: type,
    open: () => ({ listModels: async () => [], stream: () => undefined }),
    ...more,
  }) as never;

const listing = (models: readonly string[]) =>
  kind("local-llama", {
    prefix: "llama",
    always: "with-models",
    open: () => ({ listModels: async () => models.map((id) => ({ id })), stream: () => undefined }) as never,
  });

function opened(
  list: readonly Json[],
  { environment = {}, fromEnvironment = true, more = [] as readonly ProviderDefinition[] } = {},
) {
  const said: string[] = [];
  const learned: string[] = [];
  const values: Readonly<Record<string, unknown>> = {
    "providers.list": list,
    "providers.from_environment": fromEnvironment,
    "providers.list_cache_seconds": 300,
  };
  const providers = [
    kind("custom"),
    kind("keyed", { keyVariable: "KEYED_API_KEY" }),
    kind("twice", { keyVariable: ["TWICE_API_KEY", "OLD_API_KEY"] }),
    kind("built-in", { always: true, isLocal: true }),
    ...more,
  ];
  const preferences = { get: (key: string) => values[key], list: () => [] };
  const log = {
    error: (_: object, message: string) => said.push(message),
    warn: (_: object, message: string) => said.push(message),
  };
  const parts = {
    preferences,
    log,
    environment,
    registered: { providers },
    doors: { providerFetch: () => undefined },
    clock: { now: () => 0 },
    stores: { storage: { collection: () => ({}) } },
    learnSecrets: (values: Iterable<string>) => learned.push(...values),
  } as unknown as Parts;
  const instances = openProviders(parts);
  /** Opened anew, with another list. */
  const again = (other: readonly Json[]) =>
    openProviders(
      {
        ...parts,
        preferences: {
          get: (key: string) => (key === "providers.list" ? other : values[key]),
          list: () => [],
        },
      } as never,
      instances,
    );
  return { said, learned, instances, again, prefixes: instances.map(({ settings }) => settings.prefix) };
}

describe("the configured providers", () => {
  it("come first, then those with a key in the environment, then those that are always there", () => {
    const { prefixes, instances, learned } = opened(
      [{ type: "custom", base_url: "http://127.0.0.1:1/v1/" }],
      {
        environment: { KEYED_API_KEY: "k-1" },
      },
    );
    expect(prefixes).to.deep.equal(["custom", "keyed", "built-in"]);
    expect(instances.map(({ settings }) => settings.apiKey)).to.deep.equal([undefined, "k-1", undefined]);
    expect(learned, "secrets from now on").to.deep.equal(["k-1"]);
    expect(instances[0]?.settings.baseUrl).to.equal("http://127.0.0.1:1/v1");
  });

  it("have the customary key of their kind where they name none, but never for an address or headers of their own", () => {
    const list: readonly Readonly<Record<string, Json>>[] = [
      {},
      { name: "Mine" },
      { base_url: "https://other.example/v1" },
      { headers: { "x-key": "1" } },
      { api_key: "own" },
    ];
    const records = list.map((record) => ({ type: "keyed", ...record }));
    const keys = (fromEnvironment: boolean) =>
      opened(records, { environment: { KEYED_API_KEY: "k-1" }, fromEnvironment }).instances.map(
        ({ settings }) => settings.apiKey,
      );
    expect(keys(true)).to.deep.equal(["k-1", "k-1", undefined, undefined, "own", undefined]);
    expect(keys(false)).to.deep.equal([undefined, undefined, undefined, undefined, "own", undefined]);
  });

  it("take the first customary variable that is set, and know every one of them for a secret", () => {
    const keyOf = (environment: Readonly<Record<string, string>>) => {
      const { instances, learned } = opened([], { environment });
      return [instances.find(({ settings }) => settings.type === "twice")?.settings.apiKey, ...learned];
    };
    expect(keyOf({ TWICE_API_KEY: "new", OLD_API_KEY: "old" })).to.deep.equal(["new", "new", "old"]);
    expect(keyOf({ TWICE_API_KEY: "", OLD_API_KEY: "old" })).to.deep.equal(["old", "old"]);
    expect(keyOf({ TWICE_API_KEY: "" })).to.deep.equal([undefined]);
  });

  it("leave the environment alone when they are told to", () => {
    expect(
      opened([], { environment: { KEYED_API_KEY: "k-1" }, fromEnvironment: false }).prefixes,
    ).to.deep.equal(["built-in"]);
  });

  it("are told apart by numbers when they have the same prefix", () => {
    expect(
      opened([{ type: "custom" }, { type: "CUSTOM" }, { type: "custom", prefix: "mine" }]).prefixes,
    ).to.deep.equal(["custom", "custom_2", "mine", "built-in"]);
  });

  it("are left out, with a word about the known kinds, when no plugin provides theirs", () => {
    const { said, prefixes } = opened([{ type: "costum" }]);
    expect(prefixes).to.deep.equal(["built-in"]);
    expect(said).to.deep.equal([
      'no plugin provides the kind "costum" named in providers.list; known kinds: custom, keyed, twice, built-in',
    ]);
  });

  it("are left out, one by one, when they cannot be made", () => {
    const { said, prefixes } = opened([{ type: "custom", base_url: "http://[" }, { type: "keyed" }]);
    expect(prefixes).to.deep.equal(["keyed", "built-in"]);
    expect(said).to.deep.equal(['a provider of the kind "custom" in providers.list cannot be used']);
  });

  it("go on when they are opened anew and nothing of theirs has changed", () => {
    const [one, two] = [
      { type: "custom", api_key: "k" },
      { type: "keyed", headers: { a: "b" } },
    ];
    const { instances, again } = opened([one, two]);
    const kept = (list: readonly Json[]) => again(list).map((instance) => instances.indexOf(instance));
    expect(kept([{ ...one }, { ...two }])).to.deep.equal([0, 1, 2]);
    expect(kept([{ ...one, api_key: "other" }, two])).to.deep.equal([-1, 1, 2]);
    expect(kept([two])).to.deep.equal([1, 2]);
    expect(kept([{ ...one, prefix: "mine" }, one, two])).to.deep.equal([-1, 0, 1, 2]);
  });

  it("are local where their address is this machine's own", () => {
    const { instances } = opened([
      { type: "custom", base_url: "http://localhost:1234/v1" },
      { type: "custom", base_url: "https://models.example.com/v1" },
    ]);
    expect(instances.map(({ isLocal }) => isLocal)).to.deep.equal([true, false, true]);
  });

  for (const [written, type] of [
    ["gguf", "local-llama"],
    ["Llama", "local-llama"],
    ["local_llama", "local-llama"],
    ["mlx", "local-mlx"],
  ] as const) {
    it(`may be written ${written} for ${type}, and are not listed twice then`, () => {
      const more = [listing(["one"]), kind("local-mlx")];
      const { instances, said } = opened([{ type: written }], { more });
      expect(said).to.deep.equal([]);
      expect(
        instances.map(({ definition }) => definition.type).filter((each) => each === type),
      ).to.deep.equal([type]);
    });
  }

  const shown = async (list: readonly Json[], models: readonly string[]): Promise<boolean | undefined> => {
    const { instances } = opened(list, { more: [listing(models)] });
    return instances
      .find(({ definition }) => definition.type === "local-llama")
      ?.isVisible(AbortSignal.timeout(1000));
  };

  it("are shown without settings once they have a model, where their kind wants it so", async () => {
    expect([
      await shown([], []),
      await shown([], ["one"]),
      await shown([{ type: "gguf" }], []),
    ]).to.deep.equal([false, true, true]);
  });
});
