import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { PluginError } from "@pergola/sdk";
import { describePlugin, type HostPlugin } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { FoundPlugin } from "../../../core/plugins/discover.ts";
import { openTrusted } from "../../../core/plugins/open-trusted.ts";

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
  const plugin = await openTrusted(found, (fault) => void faults.push(fault));
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
