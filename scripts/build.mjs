// Builds every workspace into its own dist/: one bundle for each entry, packages left outside, shared parts split out.
// `--if-needed` skips workspaces whose files are all older than their dist/.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const ifNeeded = process.argv.includes("--if-needed");

const workspaces = ["sdk", "core", ...["plugins", "examples"].flatMap((group) => folders(group))];

function folders(group) {
  const folder = path.join(root, group);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, "package.json")))
    .map((entry) => path.join(group, entry.name));
}

/** The sources named by `exports` and `bin`, and the files that run in a thread or a process of their own. */
function entriesOf(workspace) {
  const manifest = JSON.parse(readFileSync(path.join(root, workspace, "package.json"), "utf8"));
  const exported = Object.values(manifest.exports ?? {}).map((target) => target.source);
  const binaries = Object.values(manifest.bin ?? {}).map((target) => target.replace("/dist/", "/").replace(/\.js$/, ".ts"));
  const separate = readdirSync(path.join(root, workspace), { recursive: true })
    .filter((file) => /\.(worker|process)\.ts$/.test(file) && !/(^|\/)(dist|node_modules|test)\//.test(file));
  return [...new Set([...exported, ...binaries].filter(Boolean).map((file) => path.normalize(file)).concat(separate))]
    .filter((file) => existsSync(path.join(root, workspace, file)));
}

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (["dist", "node_modules", "test"].includes(entry.name)) continue;
    const full = path.join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(full) : statSync(full).mtimeMs);
  }
  return time;
}

const fresh = (workspace) => {
  const dist = path.join(root, workspace, "dist");
  return existsSync(dist) && statSync(dist).mtimeMs >= newest(path.join(root, workspace));
};

async function buildWorkspace(workspace) {
  const entries = entriesOf(workspace);
  if (entries.length === 0 || (ifNeeded && fresh(workspace))) return;
  const outdir = path.join(root, workspace, "dist");
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: path.join(root, workspace),
    entryPoints: entries.map((file) => ({ in: file, out: /\.(worker|process)\.ts$/.test(file) ? path.basename(file, ".ts") : file.replace(/\.ts$/, "") })),
    outdir,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    logLevel: "error",
  });
}

await Promise.all(workspaces.map(buildWorkspace));
