import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import type { Log } from "@pergola/sdk";
import { startTestHost, temporaryFolder, type TestHost } from "@pergola/sdk/testing";
import { officialPlugins } from "../support/host.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";
import { needsSandbox } from "../boundary/support/program-stage.ts";

interface Line {
  readonly level: keyof Log;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log whose lines can be waited for. */
function watchedLog() {
  const lines: Line[] = [];
  const news = new EventEmitter();
  const at =
    (level: keyof Log): Log[keyof Log] =>
    (fields, message) => {
      lines.push({ level, fields, message });
      news.emit("line");
    };
  const log: Log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const wait = async (isMeant: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const found = lines.find(isMeant);
      if (found !== undefined) return found;
      await once(news, "line");
    }
  };
  return { log, wait };
}

describe("what a tool plugin writes while it works (A5)", function () {
  this.timeout(30_000);
  let host: TestHost | undefined;
  afterEach(() => host?.stop());

  for (const isolation of ["process", "trusted"] as const)
    it(`A5: stands in the log at level info with the plugin's id, isolation ${isolation}`, async function () {
      if (isolation === "process") needsSandbox.call(this);
      const body = `
        context.log.info({ step: 1, plugin: "somebody-else" }, "with fields");
        context.log.info("a text alone");
        ${isolation === "process" ? 'console.log("printed");' : ""}
        return { data: "done" };`;
      const use = toolPlugin(temporaryFolder(), "tool-talks", body);
      const { log, wait } = watchedLog();
      const plugins = [...officialPlugins(), { use, isolation }];
      host = await startTestHost({ plugins, settings: { storage: { type: "memory" } }, log });
      const call = { tool: "tool_talks.go", arguments: {} };
      await host.json("POST", "/debug/mcp/execute", call);
      const own = { plugin: "tool-talks" };
      const first = await wait(({ message }) => message === "with fields");
      expect(first.level).to.equal("info");
      expect(first.fields).to.include({ ...own, step: 1 });
      expect((await wait(({ message }) => message === "a text alone")).fields).to.include(own);
      if (isolation === "trusted") return;
      const printed = await wait(({ fields }) => String(fields["output"]).includes("printed"));
      expect(printed.level).to.equal("info");
      expect(printed.fields).to.include(own);
    });
});
