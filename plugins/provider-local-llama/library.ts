import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { AppError } from "@pergola/sdk";

/** What runs model files, as npm installs it. */
export const library = "node-llama-cpp@3.21.1";

/** The command that puts the library where this plugin, which lies in `folder`, finds it. */
export function installCommand(folder: string): string {
  const [project = ""] = folder.split(`${path.sep}node_modules${path.sep}`);
  // npm keeps a package.json of what it has installed in a folder, but none of what is there for all folders.
  const isProject = existsSync(path.join(project, "package.json"));
  return `npm install ${isProject ? `--prefix ${JSON.stringify(project)}` : "--global"} ${library}`;
}

/**
 * Throws AppError (`provider_error`) with the command that installs the library, where it is missing: it is
 * large, so the published plugin does not bring it.
 */
export function requireLibrary(): void {
  try {
    createRequire(import.meta.url).resolve("node-llama-cpp");
  } catch (cause) {
    const message =
      "Model files are run by node-llama-cpp, which is not installed. Install it, then start Pergola " +
      `again: ${installCommand(import.meta.dirname)} (from the npm registry; on Linux and Windows about ` +
      "680 MB, with builds for graphics cards).";
    throw new AppError({ code: "provider_error", message, cause });
  }
}
