import { readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import type { ModelInfo } from "@pergola/sdk";

const depth = 6;
const largestConfig = 2 ** 20;

interface Config {
  readonly model_type?: unknown;
  readonly max_position_embeddings?: unknown;
  readonly quantization?: { readonly bits?: unknown };
}

export interface ModelSet {
  /** The path below the folder, with `/`. */
  readonly id: string;
  readonly path: string;
  readonly info: ModelInfo;
}

/** The sets below the folder: folders that hold a config.json and weights (*.safetensors). */
export async function findSets(folder: string, at = folder, levels = depth): Promise<readonly ModelSet[]> {
  const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const weights = files.filter((name) => name.endsWith(".safetensors"));
  if (at !== folder && weights.length > 0 && files.includes("config.json"))
    return [await describe(folder, at, weights)];
  if (levels === 0) return [];
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  const below = await Promise.all(
    folders.map(({ name }) => findSets(folder, path.join(at, name), levels - 1)),
  );
  return below.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function describe(folder: string, at: string, weights: readonly string[]): Promise<ModelSet> {
  const sizes = await Promise.all(weights.map((name) => stat(path.join(at, name))));
  const {
    model_type: family,
    max_position_embeddings: context,
    quantization,
  } = await readConfig(path.join(at, "config.json"));
  const id = path.relative(folder, at).replaceAll(path.sep, "/");
  const bits = typeof quantization?.bits === "number" ? `${quantization.bits} bit` : "none";
  return {
    id,
    path: at,
    info: {
      id,
      kind: "chat",
      supportsTools: true,
      supportsVision: false,
      ...(typeof context === "number" && context > 0 ? { contextWindow: Math.floor(context) } : {}),
      ...(typeof family === "string" ? { family } : {}),
      created: Math.floor(Math.max(...sizes.map(({ mtimeMs }) => mtimeMs)) / 1000),
      file: { path: at, sizeBytes: sizes.reduce((sum, { size }) => sum + size, 0), quantization: bits },
    },
  };
}

async function readConfig(file: string): Promise<Config> {
  try {
    if ((await stat(file)).size > largestConfig) return {};
    const config = JSON.parse(await readFile(file, "utf8")) as Config | null;
    return typeof config === "object" && config !== null ? config : {};
  } catch {
    return {};
  }
}

/** Removes a set's folder, and the folders above it that are empty then, up to `folder`. */
export async function removeSet(set: ModelSet, folder: string): Promise<void> {
  await rm(set.path, { recursive: true });
  for (
    let parent = path.dirname(set.path);
    parent !== folder && parent.startsWith(folder);
    parent = path.dirname(parent)
  ) {
    const gone = await rmdir(parent).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}
