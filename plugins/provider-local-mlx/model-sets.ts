import { readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { compareText, defined, stringOf, type ModelInfo } from "@pergola/sdk";
import { fieldsOf, parseJson, positiveInteger, removeEmptyFolders, type Fields } from "@pergola/kit-provider";

const depth = 6;
const largestConfig = 2 ** 20;

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
  return below.flat().toSorted((a, b) => compareText(a.id, b.id));
}

async function describe(folder: string, at: string, weights: readonly string[]): Promise<ModelSet> {
  const files = await Promise.all(weights.map((name) => stat(path.join(at, name))));
  const config = await readConfig(path.join(at, "config.json"));
  const { bits } = fieldsOf(config["quantization"]);
  const id = path.relative(folder, at).replaceAll(path.sep, "/");
  const newest = Math.max(...files.map(({ mtimeMs }) => mtimeMs));
  const info = defined({
    id,
    kind: "chat" as const,
    supportsTools: true,
    supportsVision: false,
    contextWindow: positiveInteger(config["max_position_embeddings"]),
    family: stringOf(config["model_type"]) || undefined,
    created: Math.floor(newest / 1000),
    file: {
      path: at,
      sizeBytes: files.reduce((sum, { size }) => sum + size, 0),
      quantization: typeof bits === "number" ? `${bits} bit` : "none",
    },
  });
  return { id, path: at, info };
}

async function readConfig(file: string): Promise<Fields> {
  try {
    if ((await stat(file)).size > largestConfig) return {};
    return fieldsOf(parseJson(await readFile(file, "utf8")));
  } catch {
    return {};
  }
}

/** Removes a set's folder, and the folders above it that are empty then, up to `folder`. */
export async function removeSet(set: ModelSet, folder: string): Promise<void> {
  await rm(set.path, { recursive: true });
  await removeEmptyFolders(path.dirname(set.path), folder);
}
