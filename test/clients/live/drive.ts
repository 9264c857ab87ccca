import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Place } from "./client.ts";
import { none, type Feature, type Outcome } from "./feature.ts";
import { mcpDrives } from "./mcp-drives.ts";
import { modelDrives } from "./model-drives.ts";
import { short, start, type Setting } from "./turn.ts";

function makePlace({ scratch, relay, bin, packages, model }: Setting, name: string): Place {
  const folder = mkdtempSync(path.join(scratch, `${name}-`));
  const [home, work] = [path.join(folder, "home"), path.join(folder, "work")];
  mkdirSync(home);
  mkdirSync(path.join(work, "quarry"), { recursive: true });
  return { url: relay.url, model: "custom/test", provider: model.url, bin, packages, home, work };
}

/** Why a client cannot run on this machine, if so. */
export async function whyNotRun(setting: Setting): Promise<string | undefined> {
  const place = makePlace(setting, "check");
  const running = start(setting.client.check(place), place);
  const { code, late } = await running.ended;
  return code === 0 && !late ? undefined : `it does not start: ${short(running.output)}`;
}

/** Takes a client through a feature, in folders of its own. */
export async function drive(feature: Feature, setting: Setting): Promise<Outcome> {
  const { client, relay } = setting;
  if (client.lacks?.includes(feature) === true) return none;
  const place = makePlace(setting, feature);
  const words = [1, 2, 3].map((stone) => `stone-${stone}-${randomBytes(4).toString("hex")}`);
  for (const [index, word] of words.entries())
    writeFileSync(path.join(place.work, "quarry", `stone-${index + 1}.txt`), `${word}\n`);
  await client.prepare?.(place);
  relay.clear();
  setting.runs.splice(0);
  const drives = client.isMcp === true ? mcpDrives : modelDrives;
  return drives[feature]({ ...setting, place, words, feature });
}
