import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Problem } from "./problem.ts";

/** Milliseconds for the compiler, and the errors that are shown. */
const [patience, most] = [120_000, 20];

/** The compiler that a package has installed; undefined where it has none. */
function compilerOf(folder: string): string | undefined {
  try {
    return createRequire(path.join(folder, "package.json")).resolve("typescript/bin/tsc");
  } catch {
    return undefined;
  }
}

/** In a clone, the SDK has its types only once all of it was built. */
function lacksDeclarations(folder: string): boolean {
  try {
    const from = createRequire(path.join(folder, "package.json"));
    const sdk = path.dirname(from.resolve("@pergola/sdk/manifest.schema.json"));
    return !existsSync(path.join(sdk, "dist", "index.d.ts"));
  } catch {
    return false;
  }
}

interface Ended {
  readonly failed: boolean;
  readonly output: string;
}

function runCompiler(compiler: string, folder: string): Promise<Ended> {
  const words = [compiler, "--project", folder, "--noEmit", "--pretty", "false"];
  const options = { cwd: folder, timeout: patience, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, words, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

/**
 * The errors of types in a package, by its own compiler and configuration: the first 20. A package without a
 * `tsconfig.json` has none; `note` is told of one that cannot be checked.
 */
export async function typeProblems(
  folder: string,
  note: (text: string) => void,
): Promise<readonly Problem[]> {
  if (!existsSync(path.join(folder, "tsconfig.json"))) return [];
  const unchecked = (reason: string): readonly Problem[] => {
    note(`The types of ${folder} were not checked: ${reason}.`);
    return [];
  };
  const compiler = compilerOf(folder);
  if (compiler === undefined) return unchecked("run npm install there, with typescript among its packages");
  if (lacksDeclarations(folder)) return unchecked("run npm run build in the clone of Pergola, for the SDK's");
  const { failed, output } = await runCompiler(compiler, folder);
  if (!failed) return [];
  const errors = output.split("\n").filter((line) => / error TS\d+: |^error TS\d+: /.test(line));
  const shown = errors.length === 0 ? [`tsc failed: ${output.trim().slice(0, 500)}`] : errors.slice(0, most);
  const rest = errors.length - shown.length;
  const remedy = "Correct it; npx tsc --noEmit shows all errors of types.";
  const more = { message: `${rest} more errors of types`, remedy };
  return [...shown.map((message) => ({ message, remedy })), ...(rest > 0 ? [more] : [])];
}
