import { compilerHost } from "./compiler-host.ts";
import type { CheckAnswer, CheckJob, TypeFault } from "./messages.ts";
import { Projects } from "./projects.ts";
import type { CompilerOptions, Diagnostic, SourceFile, TypeScript } from "./typescript-api.ts";
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

/** Checks files with the TypeScript compiler, each in its project. */
export function checkTypes(ts: TypeScript, files: WaitingFiles, root: string, job: CheckJob): CheckAnswer {
  const host = compilerHost(ts, files, root);
  const faults: TypeFault[] = [];
  const checked: string[] = [];
  for (const [{ fileNames, options }, wanted] of new Projects(ts, files, root).of(job.files)) {
    const program = ts.createProgram(fileNames, { ...options, ...quiet }, host);
    for (const path of wanted) {
      const source = program.getSourceFile(path);
      if (source === undefined) continue;
      const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      faults.push(...found.slice(0, mostPerFile).map((diagnostic) => faultOf(ts, path, source, diagnostic)));
      checked.push(path);
    }
  }
  return { faults, checked };
}

function faultOf(
  ts: TypeScript,
  path: string,
  source: SourceFile,
  { start = 0, category, code, messageText }: Diagnostic,
): TypeFault {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  const message = ts.flattenDiagnosticMessageText(messageText, " ");
  const isError =
    category === ts.DiagnosticCategory.Error && !(surroundings.has(code) && !/["'][./]/.test(message));
  return {
    path,
    line: line + 1,
    column: character + 1,
    severity: isError ? "error" : "warning",
    message,
    code: `TS${code}`,
  };
}
