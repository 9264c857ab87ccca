import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { PluginError } from "@pergola/sdk";
import { describePlugin, type HostPlugin, type ProgramHost } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { canWait } from "../../../core/plugins/can-wait.ts";
import type { FoundPlugin } from "../../../core/plugins/discover.ts";
import { ManifestIndex } from "../../../core/plugins/manifest-index.ts";
import { readLock } from "../../../core/plugins/plugin-lock.ts";
import { TrustedPlugins } from "../../../core/plugins/trusted-plugins.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { writePlugin, type PluginSource } from "../../support/plugins/write-plugin.ts";

/** A plugin with one tool, whose code counts how often it was imported. */
const code = (data: string): string => `
  globalThis.importedPlugins = (globalThis.importedPlugins ?? 0) + 1;
  const say = {
    name: "say", description: "Say it.", effect: "none", parameters: {}, required: [],
    display: () => ({ summary: "said" }),
    run: async () => ({ data: ${JSON.stringify(data)} }),
  };
  export default {
    tools: [{ name: "speech", description: "Speak.", operations: [say] }],
    stop: () => void (globalThis.importedPlugins = -1),
  };`;

const imported = (): number => (globalThis as { readonly importedPlugins?: number }).importedPlugins ?? 0;

/** A plugin as it is found, described as it would be if its code said `data`. */
async function write(text: string, source: FoundPlugin["source"] = "own"): Promise<FoundPlugin> {
  const folder = path.join(temporaryFolder(), "dist");
  mkdirSync(folder);
  const entry = path.join(folder, "index.mjs");
  const like = path.join(folder, "like.mjs");
  writeFileSync(like, code("Hello."));
  writeFileSync(entry, text);
  const { default: plugin } = (await import(like)) as { readonly default: HostPlugin };
  writeFileSync(path.join(folder, "described.json"), JSON.stringify(describePlugin(plugin)));
  Object.assign(globalThis, { importedPlugins: 0 });
  return { id: "tool-speech", entry, source } as FoundPlugin;
}

async function open(found: FoundPlugin) {
  const faults: PluginError[] = [];
  const supply = { lock: {}, unpinned: "all" } as const;
  const trusted = new TrustedPlugins({ supply, failed: (fault) => void faults.push(fault) });
  const plugin = await trusted.open(found);
  const [say] = plugin.tools?.[0]?.operations ?? [];
  const run = async (): Promise<unknown> => say!.run({} as never, {} as never);
  const failure = (): Promise<unknown> => run().catch((error: unknown) => error);
  return { plugin, say, run, failure, faults };
}

describe("a tool plugin of our own that says what it brings", () => {
  it("is imported with the first call, and once", async () => {
    const { plugin, say, run, faults } = await open(await write(code("Hello.")));
    expect([plugin.tools?.[0]?.name, say?.name, say?.effect, imported()]).to.deep.equal([
      "speech",
      "say",
      "none",
      0,
    ]);
    expect(await Promise.resolve(say?.display?.({} as never))).to.deep.equal({ summary: "said" });
    expect(await run()).to.deep.equal({ data: "Hello." });
    expect([imported(), faults]).to.deep.equal([1, []]);
    await plugin.stop?.({} as never);
    expect(imported()).to.equal(-1);
  });

  it("is not imported to be stopped", async () => {
    const { plugin } = await open(await write(code("Hello.")));
    await plugin.stop?.({} as never);
    expect(imported()).to.equal(0);
  });

  it("is a fault at each call, and told once, where its code cannot be imported", async () => {
    const { failure, faults } = await open(await write('throw new Error("no library");'));
    expect(await failure()).to.include({ plugin: "tool-speech", step: "import" });
    expect(await failure()).to.equal(faults[0]);
    expect(faults.map(({ message }) => message)).to.have.length(1);
    expect(faults[0]?.message).to.include("no library");
  });

  it("is a fault where its code brings something else", async () => {
    const { failure } = await open(await write(code("Hello.").replace("Say it.", "Shout it.")));
    expect(String(await failure())).to.include("its code brings something else than it says");
  });

  it("is imported at once where it is somebody else's", async () => {
    await open(await write(code("Hello."), "added"));
    expect(imported()).to.equal(1);
  });
});

describe("a trusted plugin of somebody else", () => {
  let folder: string;
  let data: string;
  beforeEach(() => {
    [folder, data] = [temporaryFolder(), temporaryFolder()];
    Object.assign(globalThis, { importedPlugins: 0, saidAtRegister: undefined });
  });

  /** Writes and approves it. */
  async function approve(source: Omit<PluginSource, "id">): Promise<string> {
    const plugin = writePlugin(folder, { id: "tool-speech", ...source });
    await approvePlugins(data, plugin);
    return plugin;
  }

  /** What a start does with it, when its files have not changed for long. */
  async function start(plugin: string) {
    const index = new ManifestIndex(path.join(data, "manifests.json"), "Pergola", {
      now: () => Date.now() + 86_400_000,
    });
    const found = { ...index.manifestIn(plugin, false), folder: plugin, root: plugin, source: "settings" };
    const faults: PluginError[] = [];
    const supply = { lock: readLock(data), unpinned: [] };
    const trusted = new TrustedPlugins({ supply, index, failed: (fault) => void faults.push(fault) });
    const opened = await trusted.open({ ...found, tier: "trusted" } as FoundPlugin);
    await opened.register?.({ id: "the host" } as ProgramHost);
    trusted.learn({ ...found, tier: "trusted" } as FoundPlugin, opened);
    index.keep();
    const [say] = opened.tools?.[0]?.operations ?? [];
    const call = async (): Promise<unknown> => say!.run({} as never, {} as never);
    return { opened, faults, call, failure: () => call().catch((error: unknown) => error) };
  }

  const tools = { tools: { speech: ["say"] } };
  const registers = "register: (host) => void (globalThis.saidAtRegister = host.id), tools:";

  it("is imported at the first start, and from the next one on with its first call", async () => {
    const plugin = await approve({ provides: tools, code: code("Hello.").replace("tools:", registers) });
    await start(plugin);
    expect(imported()).to.equal(1);
    Object.assign(globalThis, { importedPlugins: 0, saidAtRegister: undefined });
    const { opened, call, faults } = await start(plugin);
    expect(opened.tools?.[0]?.operations[0]?.description).to.equal("Say it.");
    expect(globalThis).to.include({ importedPlugins: 0, saidAtRegister: undefined });
    expect(await call()).to.deep.equal({ data: "Hello." });
    expect(globalThis).to.include({ saidAtRegister: "the host" });
    expect(faults).to.deep.equal([]);
  });

  it("is not imported where a file has changed since the start", async () => {
    const plugin = await approve({ provides: tools, code: code("Hello.") });
    await start(plugin);
    const { failure, faults } = await start(plugin);
    writeFileSync(path.join(plugin, "more.js"), "");
    expect(await failure()).to.include({ plugin: "tool-speech", step: "approve" });
    expect(await failure()).to.equal(faults[0]);
    expect(faults[0]?.message).to.include("it has changed since you approved it");
  });

  it("is imported at once where its approved files are others than those that were described", async () => {
    await start(await approve({ provides: tools, code: code("Hello.") }));
    // Node keeps what it has imported: other code is another file.
    const other = await approve({ provides: tools, package: { main: "other.js" } });
    writeFileSync(path.join(other, "other.js"), code("Good evening."));
    await approvePlugins(data, other);
    expect(await (await start(other)).call()).to.deep.equal({ data: "Good evening." });
  });

  it("fails once where its code does not bring the same each time, and is then imported at each start", async () => {
    const plugin = await approve({ provides: tools, code: code("Hello.") });
    await start(plugin);
    const file = path.join(data, "manifests.json");
    const [, body = ""] = readFileSync(file, "utf8").replace("Say it.", "Shout it.").split("\n");
    const digest = createHash("sha256").update(`Pergola\n${body}`).digest("hex");
    writeFileSync(file, `${digest}\n${body}`);
    const { failure } = await start(plugin);
    const text = "brings something else than at an earlier start (tools[0].operations[0].description)";
    expect(String(await failure())).to.include(text);
    expect(await failure())
      .to.have.property("remedy")
      .that.includes("Start the service again");
    for (let again = 0; again < 2; again++)
      expect(await (await start(plugin)).call()).to.deep.equal({ data: "Hello." });
  });

  for (const [what, field] of [
    ["something to start", "start: () => undefined,"],
    ["a function that must answer at once", "providers: [{ type: 'x', prefix: () => 'x' }],"],
    ["what no JSON can carry", "collections: { notes: { indexes: [], most: 10n } },"],
  ] as const)
    it(`is imported at each start with ${what}`, async () => {
      const index = { describe: () => expect.fail("It was described."), descriptionIn: () => undefined };
      const supply = { lock: { "tool-speech": { current: { files: "digest" } } }, unpinned: [] };
      const options = { supply, index, failed: () => undefined };
      const trusted = new TrustedPlugins(
        options as unknown as ConstructorParameters<typeof TrustedPlugins>[0],
      );
      const plugin = (await import(`data:text/javascript,export default {${field}}`)) as {
        default: HostPlugin;
      };
      trusted.learn({ id: "tool-speech", source: "settings", provides: {} } as FoundPlugin, plugin.default);
    });

  it("is imported at each start where it promises hooks, which it must tap", () => {
    const plugin = { register: () => undefined };
    expect(canWait(plugin, {})).to.equal(true);
    expect(canWait(plugin, { hooks: ["runEnded"] })).to.equal(false);
  });
});
