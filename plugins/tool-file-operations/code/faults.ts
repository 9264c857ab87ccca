import path from "node:path";
import { languageOf, ParserThread, readCode } from "@pergola/kit-code-symbols";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { compilerPath, typeCheck } from "../checker/type-check.ts";
import type { Fault } from "../checker/messages.ts";
import { jsonDialectOf, jsonErrors } from "./json-errors.ts";
import { isTemplate, isYaml, yamlReader } from "./yaml-reader.ts";

interface Findings {
  readonly faults: readonly Fault[];
  /** Whether types were checked, not only syntax. */
  readonly typesChecked: boolean;
  /** Files that could not be checked: too large, binary, or too much for their grammar. */
  readonly skipped: readonly string[];
}

const isTyped = /\.[cm]?[jt]sx?$/;

/** Whether anything can be said about a file. */
export const isCheckable = (file: string): boolean =>
  jsonDialectOf(file) !== undefined || isYaml(file) || languageOf(file) !== undefined;

/**
 * Checks files: TypeScript and JavaScript by the compiler where it is installed, JSON and YAML by
 * parsers of their own, all others by their grammar.
 */
export async function findFaults(context: ToolContext, files: readonly string[]): Promise<Findings> {
  const typed = await typeFaults(
    context,
    files.filter((file) => isTyped.test(file)),
  );
  const rest = files.filter((file) => !typed.checked.has(file));
  const thread = new ParserThread(context.signal);
  const faults = [...typed.faults];
  const skipped: string[] = [];
  try {
    for (const file of rest) {
      const found = await faultsIn(context, thread, file);
      if (found === undefined) skipped.push(file);
      else faults.push(...found);
    }
  } finally {
    await thread.end();
  }
  return { faults, typesChecked: typed.checked.size > 0, skipped };
}

/** Undefined for a file that is not read as text, or that its grammar cannot read. */
async function faultsIn(
  context: ToolContext,
  thread: ParserThread,
  file: string,
): Promise<readonly Fault[] | undefined> {
  const text = await readCode(context, file);
  if (text === undefined) return undefined;
  const dialect = jsonDialectOf(file);
  if (dialect !== undefined)
    return jsonErrors(text, dialect).map((fault) => ({ file, ...fault, severity: "error", code: "json" }));
  if (isYaml(file)) return yamlFaults(context, file, text);
  const severity = languageOf(file)?.isApproximate === true ? "warning" : "error";
  const found = await thread.errors(file, text);
  return found?.map((fault) => ({ file, ...fault, severity, code: "syntax" }));
}

async function yamlFaults(
  { signal }: ToolContext,
  file: string,
  text: string,
): Promise<readonly Fault[] | undefined> {
  const found = await yamlReader.run("errors", text, { signal }).catch(() => undefined);
  signal.throwIfAborted();
  const severity = isTemplate(text) ? "warning" : "error";
  return found?.map((fault) => ({ file, ...fault, severity, code: "yaml" }));
}

interface Typed {
  readonly faults: readonly Fault[];
  readonly checked: ReadonlySet<string>;
}

const untyped: Typed = { faults: [], checked: new Set() };

/** Without the compiler, or when it gives up, the grammars check these files too. */
async function typeFaults(context: ToolContext, files: readonly string[]): Promise<Typed> {
  const compiler = compilerPath();
  if (compiler === undefined || files.length === 0) return untyped;
  const real = await Promise.all(files.map(async (file) => (await context.files.resolve(file)).real));
  const names = new Map(real.map((file, index) => [file.split(path.sep).join("/"), files[index] ?? file]));
  try {
    const { faults, checked } = await typeCheck(context, compiler, [...names.keys()]);
    const nameOf = (file: string): string => names.get(file) ?? file;
    return {
      faults: faults.map((fault) => ({ ...fault, file: nameOf(fault.file) })),
      checked: new Set(checked.map(nameOf)),
    };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    context.log.warn({ error: error.message }, "The type checker failed; only syntax is checked.");
    return untyped;
  }
}
