import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Place } from "./client.ts";
import { none, type Feature, type Outcome } from "./feature.ts";
import { mcpDrives } from "./mcp-drives.ts";
import { modelDrives } from "./model-drives.ts";
import type { Setting } from "./turn.ts";

/** Takes a client through a feature, in folders of its own. */
export async function drive(feature: Feature, setting: Setting): Promise<Outcome> {
  const { client, scratch, bin, packages, relay } = setting;
  if (client.lacks?.includes(feature) === true) return none;
  const folder = mkdtempSync(path.join(scratch, `${feature}-`));
  const [home, work] = [path.join(folder, "home"), path.join(folder, "work")];
  mkdirSync(home);
  mkdirSync(path.join(work, "quarry"), { recursive: true });
  const words = [1, 2, 3].map((stone) => `stone-${stone}-${randomBytes(4).toString("hex")}`);
  for (const [index, word] of words.entries())
    writeFileSync(path.join(work, "quarry", `stone-${index + 1}.txt`), `${word}\n`);
  const place: Place = { url: relay.url, model: "custom/test", bin, packages, home, work };
  client.prepare?.(place);
  relay.clear();
  setting.runs.splice(0);
  const drives = client.isMcp === true ? mcpDrives : modelDrives;
  return drives[feature]({ ...setting, place, words, feature });
}
