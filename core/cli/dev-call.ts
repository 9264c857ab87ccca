import path from "node:path";
import { fault } from "../fault.ts";
import type { Host } from "../host.ts";
import { ownerProofOf } from "../service-proof.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { findApproval } from "./find-approval.ts";
import { printJson, printNote } from "./print-result.ts";
import { Service, type CommonOptions } from "./service.ts";
import { argumentsOf, decideHere, hasPerson, printCalled, withdraw, type Called } from "./tools.ts";
import { styled, visible } from "./visible.ts";

/** An operation of the plugin, by the name that its call takes. */
export interface OwnOperation {
  readonly name: string;
  /** The strongest that it can have. */
  readonly effect: string;
}

interface CallOptions extends CommonOptions {
  /** The service that has the plugin. */
  readonly host: Host;
  readonly yes?: boolean;
}

/** The operations that a plugin has brought. */
export async function operationsOf({ services }: Host, id: string): Promise<readonly OwnOperation[]> {
  const tools = await services.tools.list();
  return tools
    .filter(({ source }) => source === id)
    .flatMap(({ name, operations }) =>
      operations.map((operation) => ({ name: `${name}.${operation.name}`, effect: operation.effect })),
    );
}

/** The operation that is meant: by its whole name, or by its own. Throws AppError `not_found`. */
function find(name: string, operations: readonly OwnOperation[]): OwnOperation {
  const found = operations.filter((one) => one.name === name || one.name.endsWith(`.${name}`));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const list = operations.map((one) => one.name).join(", ") || "none";
  throw fault("not_found", `"${name}" is no operation of the plugin. It has: ${list}.`);
}

/** What was decided on the call before it ran, by what came of it. */
function decisionOf({ approvalId, error_code: code = "" }: Called, yes: boolean): string {
  if (approvalId !== undefined) return "asks for your approval";
  if (code === "permission_denied") return "refused";
  return yes ? "made in your own name, without a question" : "allowed without a question";
}

/**
 * Calls an operation of the plugin: prints its effect and what was decided
 * before it ran to stderr, and the result to stdout. `text` is its name and its arguments.
 */
export async function callOperation(
  text: string,
  operations: readonly OwnOperation[],
  options: CallOptions,
): Promise<number> {
  const [, name = "", rest = ""] = /^\s*(\S+)\s*([^]*)$/.exec(text) ?? [];
  const { name: tool, effect } = find(name, operations);
  const words = rest.startsWith("{") ? [rest] : rest.split(/\s+/).filter(Boolean);
  const call = { tool, arguments: argumentsOf(words), workingDirectory: path.resolve(".") };
  const { url, identity } = options.host;
  const service = new Service(options, { url, credential: ownerProofOf(identity) });
  await service.open();
  const isUserInitiated = options.yes === true;
  const called = await service.send<Called>("POST", "/debug/mcp/execute", { ...call, isUserInitiated });
  const decision = decisionOf(called, isUserInitiated);
  if (options.json) printJson({ operation: tool, effect, decision, ...called });
  else printNote(`${styled("bold", visible(tool))}: effect ${effect}, ${decision}`);
  const { approvalId } = called;
  if (approvalId !== undefined && hasPerson(options)) return decideHere(service, approvalId, options);
  if (approvalId !== undefined) {
    await describeWaiting(service, approvalId, options);
    await withdraw(service, approvalId);
  }
  if (!options.json) printCalled(called);
  return exitCodeOf(called.success);
}

/** Shows in full what nobody is there to decide on. */
async function describeWaiting(service: Service, id: string, { json }: CommonOptions): Promise<void> {
  if (json) return;
  const [approval, { describe }] = await Promise.all([findApproval(service, id), import("./ask-person.ts")]);
  printNote(describe(approval));
}
