import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Peer } from "./catalogue.ts";

/** Peers stay installed between runs; `PERGOLA_PEERS` names another folder. */
const home = process.env["PERGOLA_PEERS"] ?? path.join(tmpdir(), "pergola-peers");

export const folderOf = ({ name }: Peer): string => path.join(home, name.replaceAll(/[^a-z0-9.]+/gi, "-"));

/** Of engines this project is strict with its own packages only. */
const installFlags = ["--no-audit", "--no-fund", "--ignore-scripts", "--engine-strict=false"];

/** Installs a peer from the registry, with no scripts of its packages. Why it could not be, if so. */
export function install(peer: Peer): string | undefined {
  const folder = folderOf(peer);
  const done = path.join(folder, "installed.json");
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs")))
    copyFileSync(path.join(import.meta.dirname, file), path.join(folder, file));
  if (existsSync(done)) return undefined;
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  process.stderr.write(`Installing ${peer.name} …\n`);
  const { status, stderr } = spawnSync("npm", ["install", ...installFlags, ...peer.packages], {
    cwd: folder,
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status !== 0) return `npm cannot install it: ${stderr.trim().split("\n").slice(0, 2).join(" ")}`;
  writeFileSync(done, JSON.stringify({ packages: peer.packages }));
  return undefined;
}
