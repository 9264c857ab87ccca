import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { manifestOf } from "../packed.ts";
import type { Outside } from "./outside.ts";
import { extrasFor, modulesNamedBy, projectWith } from "./project.ts";
import { serve, writeSettings } from "./serve.ts";
import { pluginManifest } from "./use.ts";
import { useOf } from "./uses.ts";

const packageOf = (id: string): string => `@pergola/${id}`;

/**
 * Every module that the installed code imports anywhere can be loaded from its own place; optional ones may
 * not have been compiled.
 */
async function expectModules(project: string, name: string): Promise<void> {
  const { optionalDependencies = {} } = manifestOf(name);
  const work = (one: string): string =>
    `${one in optionalDependencies ? "import.meta.resolve" : "await import"}(${JSON.stringify(one)});`;
  const code = (await modulesNamedBy(project, name)).map(work).join("\n");
  const cwd = path.join(project, "node_modules", name);
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], { cwd, env: {} });
}

/** What runs when the settings name no plugins. */
const standard = "bundle-standard";

/** The settings of a host with one plugin under test, and what it is seen through. */
function settingsFor(id: string, companions: readonly string[], more: JsonObject = {}): JsonObject {
  if (id === standard) return more;
  const plugins = [...companions, id].map(packageOf);
  return {
    plugins,
    storage: { type: "memory" },
    "tools.disabled": [],
    "memory.embedding_model": "",
    ...more,
  };
}

/**
 * Puts a plugin beside the core in a project of its own, runs the host there and uses the plugin. Rejects
 * when it cannot be installed, when something that it needs is missing, when any plugin is left out, and when
 * it is not of use.
 */
export async function tryAlone(id: string, outside: Outside): Promise<void> {
  const use = await useOf(id, outside);
  const isBundle = pluginManifest(id).kind === "bundle";
  const seen =
    id === standard
      ? []
      : ["endpoint-debug", "policy-authorization", "storage-memory", ...(use.companions ?? [])];
  const companions = seen.filter((one) => one !== id);
  const names = [id, ...companions].map(packageOf);
  const { folder: project, close } = await projectWith([...names, ...extrasFor([id])]);
  try {
    if (!isBundle) await expectModules(project, packageOf(id));
    writeSettings(project, settingsFor(id, companions, use.settings));
    for (const [file, text] of Object.entries(use.files ?? {})) {
      const place = path.join(project, "work", file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text, "latin1");
    }
    const serving = await serve(project);
    try {
      const faulty = serving.plugins
        .filter(({ state }) => state !== "running")
        .map(({ id: one, fault }) => `${one}: ${fault ?? ""}`);
      expect(faulty).to.deep.equal([]);
      const own = serving.plugins.find((plugin) => plugin.id === id);
      expect(own?.folder).to.equal(path.join(project, "node_modules", packageOf(id)));
      await use.check(serving);
    } finally {
      await serving.end();
    }
  } finally {
    close();
  }
}
