import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { upward } from "@pergola/sdk/host";
import type { Problem } from "./problem.ts";

/** Milliseconds for the compiler, and the errors that are shown. */
const [patience, most] = [120_000, 20];

/** A file or folder in the nearest `node_modules` that has it; undefined where none has. */
const installed = (folder: string, ...names: readonly string[]): string | undefined =>
  upward(folder)
    .map((each) => path.join(each, "node_modules", ...names))
    .find((place) => existsSync(place));

/** In a clone, the SDK has its types only once all of it was built. */
function lacksDeclarations(folder: string): boolean {
  const sdk = installed(folder, "@pergola", "sdk");
  return sdk !== undefined && !existsSync(path.join(sdk, "dist", "index.d.ts"));
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

/** A type of a schema can fill a page. */
const cut = (line: string): string => (line.length > 200 ? `${line.slice(0, 200)}…` : line);

/** Each error with why it is one, which the compiler says in indented lines below it. */
function errorsIn(output: string): readonly string[] {
  const errors: string[] = [];
  for (const line of output.split("\n")) {
    if (/(?:^| )error TS\d+: /.test(line)) errors.push(cut(line));
    else if (errors.length > 0 && /^\s+\S/.test(line)) errors.push(`${errors.pop()!} ${cut(line.trim())}`);
  }
  return errors;
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
  const compiler = installed(folder, "typescript", "bin", "tsc");
  if (compiler === undefined) return unchecked("run npm install there, with typescript among its packages");
  if (lacksDeclarations(folder)) return unchecked("run npm run build in the clone of Pergola, for the SDK's");
  const { failed, output } = await runCompiler(compiler, folder);
  if (!failed) return [];
  const errors = errorsIn(output);
  const shown = errors.length === 0 ? [`tsc failed: ${output.trim().slice(0, 500)}`] : errors.slice(0, most);
  const rest = errors.length - shown.length;
  const remedy = "Correct it; npx tsc --noEmit shows all errors of types.";
  const more = { message: `${rest} more errors of types`, remedy };
  return [...shown.map((message) => ({ message, remedy })), ...(rest > 0 ? [more] : [])];
}
