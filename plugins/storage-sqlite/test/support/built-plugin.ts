import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { StorageDefinition } from "@pergola/sdk";

const plugin = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
let built: Promise<string> | undefined;

/**
 * The folder of the plugin as it is delivered, with the host program of the kill tests beside it. Removed
 * when the process ends.
 */
export function builtPlugin(): Promise<string> {
  return (built ??= buildPlugin());
}

async function buildPlugin(): Promise<string> {
  const outdir = path.join(plugin, "node_modules", ".cache", `test-${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    absWorkingDir: plugin,
    entryPoints: ["index.ts", "sqlite.worker.ts", "test/support/host.ts"].filter((file) =>
      existsSync(path.join(plugin, file)),
    ),
    entryNames: "[name]",
    outdir,
    outExtension: { ".js": ".js" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    external: ["better-sqlite3", "sqlite-vec"],
    logLevel: "error",
  });
  return outdir;
}

/** The storage of the built plugin: its thread starts without the TypeScript loader, many times faster. */
export async function builtSqlite(): Promise<StorageDefinition> {
  const { sqlite } = (await import(pathToFileURL(path.join(await builtPlugin(), "index.js")).href)) as {
    sqlite: StorageDefinition;
  };
  return sqlite;
}
