import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { getJson, now, postJson } from "../bench/client.ts";
import { median } from "../bench/measure.ts";
import { cores, residentOf, type Program } from "../bench/processes.ts";
import { startService } from "../bench/setting.ts";
import { approvePlugins } from "../support/approve-plugins.ts";
import { commandOf, descendants } from "../support/descendants.ts";
import { addFigure, sizeFor } from "../support/figures.ts";
import { toolPlugin } from "../support/plugins/write-plugin.ts";

const names = ["one", "two", "three"];
const pairs = sizeFor("START_PAIRS", 1);

describe("F12: three isolated plugins in a service", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), "pergola-three-"));
  const data = path.join(folder, "with");
  const plugins = names.map((name) => toolPlugin(folder, `tool-${name}`, "return { data: args };"));
  const list = ["@pergola/bundle-standard", ...plugins.map((use) => ({ use, isolation: "process" }))];
  const running: Program[] = [];

  before(() => approvePlugins(data, ...plugins));
  const end = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((service) => service.end()));
  };
  afterEach(end);
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts a service, and gives the milliseconds until it is healthy. */
  async function begin(at: string, settings: Readonly<Record<string, unknown>>) {
    const begun = now();
    const service = await startService(at, 1, { on: cores.all, settings });
    running.push(service);
    await getJson(service.port, "/health");
    return { service, milliseconds: now() - begun };
  }
  const processesOf = ({ process: { pid = 0 } }: Program): readonly number[] =>
    descendants(pid).filter((child) => commandOf(child).includes("isolated.process"));
  const call = (port: number, name: string): Promise<unknown> =>
    postJson(port, "/debug/mcp/execute", {
      tool: `tool_${name}`,
      arguments: { operation: "go" },
      isUserInitiated: true,
    });

  it("start nothing until one of them is used, and then that one alone", async () => {
    const { service } = await begin(data, { plugins: list });
    expect(processesOf(service)).to.deep.equal([]);
    const before = residentOf(service.pid);
    expect(await call(service.port, "two")).to.include({ success: true });
    expect(processesOf(service)).to.not.deep.equal([]);
    const first = processesOf(service).length;
    for (const name of names) expect(await call(service.port, name)).to.include({ success: true });
    expect(processesOf(service)).to.have.length(3 * first);
    addFigure("megabytes of an isolated plugin in use", (residentOf(service.pid) - before) / names.length);
  });

  it("are no hindrance to a start", async () => {
    const added: number[] = [];
    await begin(path.join(folder, "without"), {}).finally(end);
    for (let pair = 0; pair < pairs; pair++) {
      const { milliseconds: without } = await begin(path.join(folder, "without"), {}).finally(end);
      const { milliseconds: among } = await begin(data, { plugins: list }).finally(end);
      added.push(among - without);
    }
    addFigure("ms of a start more for three isolated plugins", Math.max(0, median(added)));
    expect(added).to.have.length(pairs);
  });
});
