import type { CompilerOptions, Diagnostic, SourceFile } from "typescript";
import { compilerHost } from "./compiler-host.ts";
import type { CheckAnswer, Fault, TypeScript } from "./messages.ts";
import { Projects } from "./projects.ts";
import type { WaitingFiles } from "./waiting-files.ts";

/**
 * What is said when a package or its types are not installed: a fault of the surroundings, not of the code.
 */
const surroundings = new Set([2307, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2688, 2792, 7016, 7026]);
const mostPerFile = 50;

/** Nothing is written, and of the libraries only what is needed is looked at. */
const quiet: CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  incremental: false,
  composite: false,
  tsBuildInfoFile: undefined,
};

/** Whether a message that names no path only says that something is not installed. */
const isSurroundings = (code: number, message: string): boolean =>
  surroundings.has(code) && !/["'][./]/.test(message);

/** Checks files with the TypeScript compiler, each in its project. */
export function checkTypes(
  ts: TypeScript,
  files: WaitingFiles,
  root: string,
  paths: readonly string[],
): CheckAnswer {
  const host = compilerHost(ts, files, root);
  const faults: Fault[] = [];
  const checked: string[] = [];
  for (const [{ fileNames, options }, chosen] of new Projects(ts, files, root).of(paths)) {
    const program = ts.createProgram(fileNames, { ...options, ...quiet }, host);
    for (const file of chosen) {
      const source = program.getSourceFile(file);
      if (source === undefined) continue;
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      faults.push(
        ...found.slice(0, mostPerFile).map((diagnostic) => ({ file, ...faultOf(ts, source, diagnostic) })),
      );
      checked.push(file);
    }
  }
  return { faults, checked };
}

function faultOf(
  ts: TypeScript,
  source: SourceFile,
  { start = 0, category, code, messageText }: Diagnostic,
): Omit<Fault, "file"> {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  const message = ts.flattenDiagnosticMessageText(messageText, " ");
  const place = { line: line + 1, column: character + 1, message, code: `TS${code}` };
  const isError = category === ts.DiagnosticCategory.Error && !isSurroundings(code, message);
  return { ...place, severity: isError ? "error" : "warning" };
}
