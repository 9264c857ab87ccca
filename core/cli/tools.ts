import path from "node:path";
import { fault } from "../fault.ts";
import { readLock } from "../plugins/plugin-lock.ts";
import { readSettings } from "../settings/read-settings.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { findApproval } from "./find-approval.ts";
import { printJson, printLines, printNote, printResult } from "./print-result.ts";
import { runningPlugins } from "./running-plugins.ts";
import { settingsOf, withService, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: {
      readonly properties?: { readonly operation?: { readonly enum: readonly string[] } };
    };
  }[];
}

interface Available {
  readonly tools: readonly { readonly name: string; readonly enabled: boolean }[];
}

/** What a call by hand has come to. */
export interface Called {
  readonly success: boolean;
  readonly result: string;
  readonly error_code?: string;
  readonly approvalId?: string;
  readonly toolResult?: { readonly message?: string };
}

interface CallOptions extends CommonOptions {
  readonly directory?: string;
  readonly yes?: boolean;
}

interface ListOptions extends CommonOptions {
  /** Without the operations. */
  readonly brief?: boolean;
}

export async function listTools(service: Service, options: ListOptions): Promise<void> {
  const { tools } = await service.get<Listed>("/debug/mcp/tools");
  const states = await service.get<Available>("/debug/tools/available");
  const off = new Set(states.tools.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const lines = tools.flatMap(({ name, description, inputSchema }) => {
    const operations = inputSchema.properties?.operation?.enum ?? [];
    const [summary = ""] = description.split("\n");
    const title = styled("bold", name) + (off.has(name) ? " (off)" : "");
    if (options.brief) return [`${title}: ${visible(summary)}`];
    return [title, `  ${visible(summary)}`, `  ${styled("dim", operations.join(" "))}`];
  });
  printResult(options, { ...states, tools }, lines);
}

/** The arguments of a call: `name=value` pairs, or one JSON object. */
export function argumentsOf(words: readonly string[]): unknown {
  const [first = ""] = words;
  if (first.trimStart().startsWith("{")) {
    try {
      return JSON.parse(first);
    } catch (cause) {
      const { message } = cause as Error;
      throw fault("invalid_value", `The arguments are not JSON: ${message}.`, { cause });
    }
  }
  const pairs = words.map((word) => {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
    if (name !== undefined) return [name, value];
    throw fault("invalid_value", `"${word}" is no argument. Write name=value, or one JSON object.`);
  });
  return Object.fromEntries(pairs) as unknown;
}

/**
 * Calls a tool. The result goes to stdout: unchanged for a program, with visible control characters for a
 * person.
 */
export async function callTool(
  name: string,
  words: readonly string[],
  options: CallOptions,
): Promise<number> {
  const call = {
    tool: name,
    arguments: argumentsOf(words),
    workingDirectory: path.resolve(options.directory ?? "."),
    isUserInitiated: options.yes === true,
  };
  return withService(options, async (service) => {
    const called = await service.send<Called>("POST", "/debug/mcp/execute", call);
    const { approvalId } = called;
    if (approvalId !== undefined && hasPerson(options)) return decideHere(service, approvalId, options);
    if (approvalId !== undefined) await withdraw(service, approvalId);
    if (options.json) printJson(called);
    else printCalled(called);
    if (called.error_code === "not_found" && !service.own) await tellNextStart(name, options);
    return exitCodeOf(called.success);
  });
}

/** Whether somebody is there to be asked. */
export const hasPerson = ({ json }: CommonOptions): boolean =>
  json !== true && process.stdin.isTTY && process.stdout.isTTY;

/** Asks about a call by hand, and makes it if the person allows it. */
export async function decideHere(service: Service, id: string, options: CommonOptions): Promise<number> {
  const [approval, { askPerson, describe }, { answerApproval }] = await Promise.all([
    findApproval(service, id),
    import("./ask-person.ts"),
    import("./approvals.ts"),
  ]);
  printNote(describe(approval));
  const decision = await askPerson(approval, new AbortController().signal);
  const answer = decision === "stop" ? { approved: false } : decision;
  return answerApproval(service, approval, answer, options);
}

/** Nobody will answer: without this the question would stay open for ever. */
export async function withdraw(service: Service, id: string): Promise<void> {
  await service.call("POST", `/api/approvals/${id}`, { approved: false, userResponse: "Nobody was asked." });
}

/** A plugin that was added since may have the operation. */
async function tellNextStart(name: string, options: CommonOptions): Promise<void> {
  const running = await runningPlugins(options);
  if (running === undefined) return;
  const { reader } = await readSettings({ ...settingsOf(options), secretsMayMiss: true });
  const [family = "", operation] = name.split(".");
  for (const [id, { current, enabled = true }] of Object.entries(readLock(reader.installed))) {
    const operations = enabled ? current?.tools?.[family] : undefined;
    const isMeant = operations !== undefined && (operation === undefined || operation in operations);
    if (!isMeant || running.some((one) => one.id === id && one.digest === current?.files)) continue;
    printNote(`${id} has it, from the next start of the service: start it again.`);
  }
}

/** The result goes to stdout, what went wrong to stderr. */
export function printCalled({ success, result, error_code: code, toolResult }: Called): void {
  if (success) return printLines([process.stdout.isTTY ? visible(result) : result]);
  const needsApproval = code === "approval_required";
  const hint = needsApproval ? "Add --yes to make the call as your own." : toolResult?.message;
  printNote([result, hint].filter(Boolean).join("\n"));
}
