import { appendFileSync, rmSync } from "node:fs";
import { expect } from "chai";
import type { PluginError } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { FoundPlugin } from "../../../core/plugins/discover.ts";
import { readManifest } from "../../../core/plugins/manifest.ts";
import { compareFiles, pinPlugins } from "../../../core/plugins/pin-plugins.ts";
import { readLock } from "../../../core/plugins/plugin-lock.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

describe("plugins whose files can be compared after the start", () => {
  let data: string;
  let plugins: readonly FoundPlugin[];
  beforeEach(() => {
    data = temporaryFolder();
    const folder = temporaryFolder();
    plugins = ["tool-one", "tool-two", "tool-three"].map((id): FoundPlugin => {
      const root = writePlugin(folder, { id });
      const found = { folder: root, root, tier: "isolated", disabled: false, source: "settings" } as const;
      return { ...readManifest(root), ...found };
    });
  });

  const pin = (canWait: (plugin: FoundPlugin) => boolean) =>
    pinPlugins(
      { all: plugins, plugins, faults: [], refused: [] },
      { lock: readLock(data), unpinned: [] },
      canWait,
    );
  const idsOf = (faults: readonly PluginError[]): readonly string[] => faults.map(({ plugin }) => plugin);

  it("must be approved all the same, and others have theirs compared at once", async () => {
    const [one, two, three] = plugins as readonly [FoundPlugin, FoundPlugin, FoundPlugin];
    await approvePlugins(data, one.root, two.root);
    for (const { root } of [one, two]) appendFileSync(`${root}/index.js`, "\n");
    const { faults, waiting } = await pin((plugin) => plugin !== two);
    expect(idsOf(faults)).to.have.members([two.id, three.id]);
    expect(waiting).to.deep.equal([one]);
  });

  it("must not ask for more than was approved", async () => {
    const [one] = plugins as readonly [FoundPlugin];
    await approvePlugins(data, one.root);
    plugins = [{ ...one, permissions: { files: "any" } }];
    const { faults, waiting } = await pin(() => true);
    expect(faults.map(({ message }) => message)).to.deep.equal([
      "tool-one, approve: it asks for more than was approved: files: any (before: none)",
    ]);
    expect(waiting).to.deep.equal([]);
  });

  it("are told of where they have changed, one by one", async () => {
    await approvePlugins(data, ...plugins.map(({ root }) => root));
    const { faults, waiting } = await pin(() => true);
    expect([faults, waiting]).to.deep.equal([[], plugins]);
    for (const { root } of [plugins[0]!, plugins[2]!]) appendFileSync(`${root}/index.js`, "\n");
    const told: PluginError[] = [];
    await compareFiles(waiting, { lock: readLock(data) }, (fault) => void told.push(fault));
    expect(idsOf(told)).to.deep.equal(["tool-one", "tool-three"]);
    expect(told[0]?.message).to.include("it has changed since you approved it");
  });

  it("are not at fault where the plugin was removed since the start", async () => {
    await approvePlugins(data, ...plugins.map(({ root }) => root));
    const { waiting } = await pin(() => true);
    rmSync(plugins[1]!.root, { recursive: true });
    appendFileSync(`${plugins[2]!.root}/index.js`, "\n");
    const told: PluginError[] = [];
    await compareFiles(waiting, { lock: readLock(data) }, (fault) => void told.push(fault));
    expect(idsOf(told)).to.deep.equal(["tool-three"]);
  });
});
