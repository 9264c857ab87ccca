import { existsSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect } from "chai";
import type { PluginHost } from "@pergola/sdk";
import { FactsThread } from "../facts/facts-thread.ts";
import { Watchers } from "../index/watchers.ts";
import plugin from "../index.ts";
import { indexes } from "../service/indexes.ts";
import { pdf } from "./documents.ts";
import { scene } from "./scene.ts";

describe("system_search: its threads", function () {
  this.timeout(30_000);
  after(() => indexes.close());

  it("costs the start of the host nothing: no index, no thread", async () => {
    const { settings } = scene();
    const services = { preferences: { list: () => [] } };
    await plugin.start?.({ settings, services } as unknown as PluginHost);
    expect(existsSync(settings["tools.system_search.index_path"] as string)).to.equal(false);
    await plugin.stop?.({} as never);
  });

  it("keeps the host's loop free while it builds", async () => {
    const { run, root } = scene(
      Object.fromEntries(
        Array.from({ length: 2000 }, (_, index) => [
          `f${index % 40}/file-${index}.txt`,
          `word ${index} `.repeat(200),
        ]),
      ),
    );
    await run("recent_files", { directory: root });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await run("search_content", { query: "word" });
    delay.disable();
    expect(delay.percentile(99) / 1e6).to.be.below(100);
  });

  it("gives up on a file that takes too long, and goes on with the next", async () => {
    const { put } = scene();
    const [slow, quick] = [
      put("slow.pdf", pdf({ title: "Slow", author: "A", pages: ["x"] })),
      put("quick.md", "# Quick"),
    ];
    const reader = new FactsThread({ deadline: 1 });
    expect(await reader.read({ path: slow, wantsText: true })).to.deep.equal({ facts: {}, words: "" });
    await reader.close();
    const next = new FactsThread();
    expect((await next.read({ path: quick, wantsText: true })).facts).to.deep.equal({ title: "Quick" });
    await next.close();
  });

  it("gives nothing of a place where another file stands by now", async () => {
    const { put, root } = scene();
    put("real/note.txt", "words");
    const reader = new FactsThread();
    expect(
      (await reader.read({ path: path.join(root, "real", "note.txt"), wantsText: true })).words,
    ).to.equal("words");
    expect(
      (await reader.read({ path: path.join(root, "real", "..", "real", "note.txt"), wantsText: true })).words,
    ).to.equal("words");
    expect((await reader.read({ path: "/proc/self/cwd/package.json", wantsText: true })).words).to.equal("");
    await reader.close();
  });

  it("watches as many folders as the system allows, and knows when that is not all", () => {
    const { root, put } = scene({ "a/x.txt": "x" });
    put("b/x.txt", "x");
    const watchers = new Watchers([root], () => undefined, { most: 2 });
    for (const folder of [root, path.join(root, "a")]) watchers.watch(folder);
    expect(watchers.limited).to.equal(false);
    watchers.watch(path.join(root, "b"));
    expect(watchers.limited).to.equal(process.platform === "linux");
    watchers.close();
  });
});
