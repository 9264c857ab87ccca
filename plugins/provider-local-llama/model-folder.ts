import { readdir, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { AppError, compareText } from "@pergola/sdk";
import { removeEmptyFolders } from "@pergola/kit-provider";

/** A model below the folder. Of one that is split, `path` is the first part. */
export interface InstalledModel {
  /** The path below the folder, with `/`, without `.gguf` and without the number of a part. */
  readonly id: string;
  readonly path: string;
  /** All files of it. */
  readonly files: readonly string[];
  readonly sizeBytes: number;
  /** Unix milliseconds of the newest change. */
  readonly changed: number;
}

interface Part {
  readonly file: string;
  readonly number: number;
  readonly of: number;
  readonly size: number;
  readonly changed: number;
}

const split = /-(\d{5})-of-(\d{5})$/;

/** Image encoders stand beside the model that they belong to. */
const encoder = /(^|[-_.])mmproj/i;
const depth = 8;

/**
 * The complete models below the folder, by id. A folder that is not there holds none; links to folders are
 * not followed.
 */
export async function findModels(folder: string): Promise<readonly InstalledModel[]> {
  const models = new Map<string, Part[]>();
  for (const file of await filesBelow(folder, depth)) {
    const name = path.relative(folder, file).slice(0, -".gguf".length).replaceAll(path.sep, "/");
    const [, number = "1", of = "1"] = split.exec(name) ?? [];
    const facts = await stat(file).catch(() => undefined);
    if (facts?.isFile() !== true) continue;
    const id = name.replace(split, "");
    const part = { file, number: Number(number), of: Number(of), size: facts.size, changed: facts.mtimeMs };
    models.set(id, [...(models.get(id) ?? []), part]);
  }
  return [...models].flatMap(([id, parts]) => modelOf(id, parts)).toSorted((a, b) => compareText(a.id, b.id));
}

/** Nothing can be loaded if a part is missing. */
function isComplete(parts: readonly Part[]): boolean {
  const { of } = parts[0]!;
  return parts.length === of && parts.every((part, index) => part.number === index + 1 && part.of === of);
}

function modelOf(id: string, found: readonly Part[]): readonly InstalledModel[] {
  const parts = found.toSorted((a, b) => a.number - b.number);
  if (!isComplete(parts)) return [];
  const model = {
    id,
    path: parts[0]!.file,
    files: parts.map(({ file }) => file),
    sizeBytes: parts.reduce((sum, { size }) => sum + size, 0),
    changed: Math.max(...parts.map(({ changed }) => changed)),
  };
  return [model];
}

async function filesBelow(folder: string, levels: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw new AppError({
      code: "provider_error",
      message: `The folder of models cannot be read (${error.code}).`,
      cause: error,
    });
  });
  const below = entries.map(async (entry) => {
    const full = path.join(folder, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return levels === 0 ? [] : filesBelow(full, levels - 1);
    if (/\.gguf$/i.test(entry.name) && !encoder.test(entry.name)) return [full];
    return [];
  });
  return (await Promise.all(below)).flat();
}

/**
 * Removes a model's files, and the folders below `folder` that are empty then. Of a link only the link goes.
 */
export async function removeModel({ files }: InstalledModel, folder: string): Promise<void> {
  for (const file of files) {
    if (path.relative(folder, file).startsWith("..")) throw new Error(`${file} lies outside ${folder}`);
    await unlink(file);
  }
  await removeEmptyFolders(path.dirname(files[0] ?? folder), folder);
}
