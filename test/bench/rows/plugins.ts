import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { chat, many, now, serviceDoor, sleep } from "../client.ts";
import { cpuOfEach, mean, measure, measureTogether, median, planOf, quiet, type Visit } from "../measure.ts";
import { cores, type Program } from "../processes.ts";
import { join, type Figure } from "../report.ts";
import type { Setting } from "../setting.ts";

const [installed, width] = [300, 32];
/** Turns of one service before the other has as many. */
const partOfRound = 50;

/** Plugins that are installed and loaded, and take no part in anything. */
function writePlugins(folder: string): readonly string[] {
  return Array.from({ length: installed }, (_, number) => {
    const id = `policy-idle-${number}`;
    const place = path.join(folder, id);
    if (existsSync(place)) return place;
    mkdirSync(place, { recursive: true });
    const about = {
      name: id,
      version: "1.0.0",
      description: "Does nothing",
      type: "module",
      main: "index.js",
    };
    writeFileSync(path.join(place, "package.json"), JSON.stringify(about));
    const manifest = { id, kind: "policy", sdk: "^1", provides: {}, permissions: {} };
    writeFileSync(path.join(place, "plugin.json"), JSON.stringify(manifest));
    writeFileSync(path.join(place, "index.js"), `export default { register() { return ${number}; } };\n`);
    return place;
  });
}

interface Services {
  readonly alone: () => Promise<Program>;
  readonly crowded: () => Promise<Program>;
}

/** Milliseconds after which a start trusts the times of files. */
const settled = 2000;

/**
 * Services of the same settings, without and with the idle plugins, which are installed once; each data
 * directory is made once.
 */
async function services({ folder, start }: Setting, name: string, on: string): Promise<Services> {
  const home = path.join(folder, `${name}-idle`);
  const data = [`${name}-without`, `${name}-with`] as const;
  const isThere = existsSync(home);
  const places = writePlugins(home);
  if (!isThere) {
    await approvePlugins(path.join(folder, data[1]), ...places);
    await sleep(settled);
  }
  const plugins = ["@pergola/bundle-standard", ...places.map((use) => ({ use, isolation: "trusted" }))];
  return {
    alone: () => start(data[0], { on }),
    crowded: () => start(data[1], { on, settings: { plugins } }),
  };
}

/** P8: what installed plugins add to a start. */
export async function startWithPlugins(setting: Setting, visit: Visit): Promise<Figure> {
  const { alone, crowded } = await services(setting, "start", cores.two);
  const leg = (starting: () => Promise<Program>) => async (): Promise<number> => {
    const begun = now();
    const service = await starting();
    const taken = now() - begun;
    await service.end();
    return taken;
  };
  const plan = planOf(visit, { first: { warm: 2 }, later: [5, 0] });
  const { of } = await measure({ without: leg(alone), with: leg(crowded) }, plan, visit);
  return {
    id: "P8",
    what: `start with ${installed} more plugins installed, added`,
    value: median(of.with) - median(of.without),
    unit: "ms",
    goal: 25,
    from: median(of.with),
    detail: `${median(of.with).toFixed(0)} against ${median(of.without).toFixed(0)} ms`,
  };
}

/** P18: what plugins that tap nothing cost a turn. */
export async function idlePlugins(setting: Setting, { quick }: Visit): Promise<Figure> {
  const both = await services(setting, "turns", cores.one);
  const [alone, crowded] = [await both.alone(), await both.crowded()];
  const parts = quick ? 3 : 8;
  const { of, note } = await measureTogether(
    {
      names: ["without", "with"],
      round: () =>
        cpuOfEach([alone, crowded], parts * partOfRound, async () => {
          for (let part = 0; part < parts; part++)
            for (const { port } of [alone, crowded])
              await many(partOfRound, width, () => chat(serviceDoor(port), { model: "echo" }));
        }),
    },
    quick ? { pairs: 3, warm: 4 } : { pairs: 4, warm: 4 },
  );
  await Promise.all([alone.end(), crowded.end()]);
  return {
    id: "P18",
    what: `CPU of a chat turn with ${installed} idle plugins ÷ without`,
    value: mean(of.with) / mean(of.without),
    unit: "×",
    goal: 1.02,
    detail: join(`${mean(of.with).toFixed(0)} against ${mean(of.without).toFixed(0)} µs`, note),
  };
}

const tapsFile = path.join(import.meta.dirname, "../taps.ts");

/** P18: what a tap costs a hook. */
export async function tapCosts(_setting: Setting, { add }: Visit): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [kind, goal] of Object.entries({ sync: 80, async: 350 })) {
    const args = ["--conditions=source", "--import=tsx", tapsFile, kind];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [ten = NaN, hundred = NaN, most = NaN] = JSON.parse(stdout) as readonly number[];
    figures.push({
      id: "P18",
      what: `CPU of a tap that is ${kind}, ${installed} on one hook`,
      value: quiet(add(kind, [most])),
      unit: "ns",
      goal,
      detail: `${ten.toFixed(0)} ns with 10 taps, ${hundred.toFixed(0)} with 100`,
    });
  }
  return figures;
}
