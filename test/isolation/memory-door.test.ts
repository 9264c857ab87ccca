import { expect } from "chai";
import type { ToolContext } from "@pergola/sdk";
import type { RegisteredTool } from "@pergola/sdk/host";
import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { pluginScene, type PluginScene } from "../support/plugins/plugin-scene.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

const body = `
  if (context.memory === undefined) return { data: "no memory" };
  const [{ item }] = await context.memory.store([{ content: "the red fox", origin: "user", tags: ["a"] }, { content: "file", origin: "import" }]);
  const hits = await context.memory.search({ query: "fox" });
  const changed = await context.memory.update(item.id, { importance: 1 });
  const { count } = await context.memory.list();
  const { total } = await context.memory.statistics();
  const gone = [await context.memory.delete(item.id), await context.memory.delete(item.id), await context.memory.get(item.id) ?? null];
  const pruned = await context.memory.prune({ maxAgeDays: 1, minConfidence: 0, most: {} });
  const recalled = await context.memory.recall({ query: "fox" });
  return { data: { found: hits[0].item.content, origin: item.origin, importance: changed.importance, count, total, gone, pruned, recalled } };
`;

for (const isolation of ["trusted", "process"] as const)
  describe(`memory of a tool plugin with isolation: ${isolation}`, function () {
    this.timeout(20_000);
    let scene: PluginScene;
    let entry: RegisteredTool;
    const run = async (context: ToolContext) =>
      (await entry.tool.operations[0]!.run({} as never, context)).data;

    before(async function () {
      if (isolation === "process") needsSandbox.call(this);
      scene = pluginScene();
      const lifecycle = await scene.run([
        { use: toolPlugin(temporaryFolder(), "tool-fox", body), isolation },
      ]);
      entry = lifecycle.registry.tools[0]!;
    });
    after(() => (scene as PluginScene | undefined)?.stop());

    it("is the scope's, with all its methods", async () => {
      const context = toolContext();
      expect(await run(context)).to.deep.equal({
        found: "the red fox",
        origin: isolation === "process" ? "tool" : "user",
        importance: 1,
        count: 2,
        total: 2,
        gone: [true, false, null],
        pruned: { removed: 0, remaining: 0 },
        recalled: [],
      });
      expect((await context.memory!.list()).items.map(({ origin }) => origin)).to.deep.equal(["import"]);
    });

    it("is missing where nobody keeps it", async () => {
      expect(await run(toolContext({ memory: undefined }))).to.equal("no memory");
    });
  });
