// Proves Pergola with the clients that people use: installs the newest version of each, drives it against a
// real host with a scripted model, and prints a table. Ends with 1 when something is missed.
//   npm run clients                            all clients
//   npm run clients -- codex claude            those whose names contain one of these words
//   npm run clients -- --folder /tmp/clients   uses that folder and leaves it, so that the next run is faster
//   npm run clients -- --only resume,steps     these features only
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { openStage } from "../../support/host.ts";
import type { Client } from "./client.ts";
import { clients } from "./clients/index.ts";
import { drive, whyNotRun } from "./drive.ts";
import { features, miss, type Feature, type Outcome } from "./feature.ts";
import { install, installNode, type Installed } from "./install.ts";
import { StoneModel } from "./model.ts";
import { openRelay, type Relay } from "./relay.ts";
import { missesOf, reportOf, type Row } from "./report.ts";
import { killAll, killBelow } from "./running.ts";
import type { Setting } from "./turn.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: "string" }, only: { type: "string" } },
});
const folder = values.folder ?? mkdtempSync(path.join(tmpdir(), "pergola-clients-"));
const wanted = features.filter((feature) => values.only?.split(",").includes(feature) ?? true);
const chosen = clients.filter(({ name }) =>
  positionals.length === 0
    ? true
    : positionals.some((word) => name.toLowerCase().includes(word.toLowerCase())),
);

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Keeps what went over the wire, for the person who looks into a miss. */
function writeRecording({ client, relay, model, runs }: Setting, feature: Feature): string {
  const file = path.join(folder, "recordings", `${slug(client.name)}-${feature}.json`);
  const asked = model.requests.map(({ body }) => body);
  const recording = { exchanges: relay.exchanges, asked, outputs: runs.map(({ output }) => output) };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(recording, null, 1));
  return file;
}

/** What a refusal says; bodies are JSON in all formats. */
const messageIn = (received: string): string =>
  /"message":"((?:[^"\\]|\\.)*)"/.exec(received)?.[1] ?? received.slice(0, 200);

/** Refusals of Pergola's that no feature expects; clients often work around one unseen. */
const refusals = (feature: Feature, { exchanges }: Relay): readonly string[] =>
  feature === "error"
    ? []
    : exchanges
        .filter(({ status }) => status >= 400)
        .map(
          ({ method, path: route, status, received }) =>
            `${method} ${route.split("?")[0]}: ${status} ${messageIn(received)}`,
        );

async function driveAll(client: Client, installed: Installed, bin: string): Promise<Row> {
  const stage = await openStage();
  const relay = await openRelay(stage.host.url);
  const outcomes: Partial<Record<Feature, Outcome>> = {};
  const notes = new Set<string>();
  const scratch = mkdtempSync(path.join(folder, `${slug(client.name)}-`));
  const setting: Setting = {
    client,
    model: new StoneModel(stage.provider),
    relay,
    bin,
    packages: installed.folder,
    scratch,
    runs: [],
  };
  const row = { name: client.name, versions: installed.versions, outcomes };
  try {
    const notRun = await whyNotRun(setting);
    if (notRun !== undefined) return { ...row, notes: [], notRun };
    for (const feature of wanted) {
      const outcome = await drive(feature, setting).catch((error: unknown) => miss(String(error)));
      outcomes[feature] = outcome;
      refusals(feature, relay).forEach((note) => notes.add(note));
      process.stderr.write(`${client.name} ${feature}: ${outcome.verdict}\n`);
      if (outcome.verdict === "miss") notes.add(`recorded in ${writeRecording(setting, feature)}`);
    }
  } finally {
    killAll();
    killBelow(scratch);
    await relay.close();
    await stage.end();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
  return { ...row, notes: [...notes] };
}

async function rowOf(client: Client, bin: string): Promise<Row> {
  const row = { name: client.name, versions: client.packages, outcomes: {}, notes: [] };
  let installed: Installed;
  try {
    installed = await install(
      path.join(folder, "packages", slug(client.packages.join("-")) || "none"),
      client.packages,
      bin,
    );
  } catch (error) {
    return { ...row, notRun: `its packages cannot be installed: ${String(error).slice(0, 400)}` };
  }
  cpSync(path.join(import.meta.dirname, "programs"), path.join(installed.folder, "programs"), {
    recursive: true,
  });
  return driveAll(client, installed, bin);
}

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    killBelow(folder);
    process.exit(1);
  });
const rows: Row[] = [];
try {
  const bin = await installNode(path.join(folder, "packages", "node"));
  for (const client of chosen) rows.push(await rowOf(client, bin));
} finally {
  process.stdout.write(reportOf(rows));
  killAll();
  if (values.folder === undefined && rows.every((row) => missesOf(row).length === 0))
    rmSync(folder, { recursive: true, force: true });
}
process.exit(rows.some((row) => missesOf(row).length > 0) ? 1 : 0);
