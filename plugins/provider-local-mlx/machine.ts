import { accessSync, constants } from "node:fs";
import path from "node:path";

/** What MLX needs of a machine. */
export interface Machine {
  /** Why MLX cannot run here. */
  readonly fault: string | undefined;
  /** Folders in which programs are looked for. */
  readonly folders: readonly string[];
}

const isMac = process.platform === "darwin" && process.arch === "arm64";

const noMac =
  `MLX needs macOS on Apple silicon; this is ${process.platform} on ${process.arch}. ` +
  "GGUF models (local-llama) run here.";

export const thisMachine: Machine = {
  fault: isMac ? undefined : noMac,
  folders: (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== ""),
};

/**
 * The program itself, or the one of its name in the folders; undefined when there is none that can be
 * started.
 */
export function findProgram(program: string, folders: readonly string[]): string | undefined {
  const places = path.isAbsolute(program) ? [program] : folders.map((folder) => path.join(folder, program));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
