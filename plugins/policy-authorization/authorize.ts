import {
  isBelow,
  type CallContext,
  type CheckedPath,
  type Effect,
  type PendingCall,
  type Verdict,
} from "@pergola/sdk";
import { canonicalName, type Rules } from "./rules.ts";
import { reasonOfTaint } from "./reason-of-taint.ts";
import type { Taint } from "./taints.ts";
import { actions, places, treatments, type Where } from "./treatment.ts";
import { visibleText as visible } from "@pergola/sdk/host";

/** One thing that a call does: an effect at a place. */
interface Part {
  readonly effect: Effect;
  readonly where: Where;
  readonly path?: PendingCall["paths"][number];
}

const allow: Verdict = { decision: "allow" };
const changes: ReadonlySet<Effect> = new Set<Effect>(["write", "destructive", "execute"]);

/**
 * What may happen to a call: the strictest treatment of its parts. A person's own call on this computer is
 * not asked about. What may only be read is changed by nobody. Paths arrive resolved. What nobody may reach,
 * the service's own secrets and relative paths that leave the working directory, was refused when they were
 * resolved: neither a preference nor a person opens it here. `taint`: what the call's run has taken in.
 */
export function authorize(
  call: PendingCall,
  { userInitiated, caller }: Pick<CallContext, "userInitiated" | "caller">,
  rules: Rules,
  taint?: Taint,
): Verdict {
  const readOnlyFile = changeIn(call);
  if (readOnlyFile !== undefined)
    return { decision: "deny", code: "permission_denied", message: readOnlyMessage(readOnlyFile) };
  if (userInitiated && caller.kind === "owner") return allow;
  if (call.arguments["unsandboxed"] === true)
    return { decision: "ask", reason: "it runs a program outside of the sandbox" };
  const led = taint && reasonOfTaint(call, taint);
  if (led !== undefined) return { decision: "ask", reason: led };
  for (const part of partsOf(call)) {
    const reason = reasonToAsk(part, call, rules);
    if (reason !== undefined) return { decision: "ask", reason };
  }
  return allow;
}

/**
 * What the call would change of the folder that it may only read. Without a path of its own it works on the
 * working directory.
 */
function changeIn({ effect, place, paths, workingDirectory, readOnly }: PendingCall): string | undefined {
  if (readOnly === undefined) return undefined;
  const changed = paths.filter((path) => changes.has(path.effect));
  const isWhole = place === "paths" && changes.has(effect) && changed.length === 0;
  if (isWhole && isBelow(readOnly.requestedPath, workingDirectory)) return workingDirectory;
  return changed.find(({ real }) => isBelow(readOnly.real, real))?.real;
}

const readOnlyMessage = (file: string): string =>
  `This conversation may only read the files of its topic: ${visible(file)}. ` +
  'Write elsewhere, or ask the person to attach it with access "write".';

/** Each path the call touches, and the call as a whole. */
function partsOf({ effect, place, paths }: PendingCall): readonly Part[] {
  let where: Where = "inside";
  if (place !== "paths") where = place;
  return [
    ...paths.map((path): Part => ({
      effect: path.effect,
      where: path.place,
      path,
    })),
    { effect, where },
  ];
}

/**
 * Undefined when the part may happen without a question. `auto_approve` lifts the plain rule only, never a
 * protected path or name.
 */
function reasonToAsk(part: Part, call: PendingCall, rules: Rules): string | undefined {
  const { effect, where, path } = part;
  const operation = canonicalName(`${call.tool}.${call.operation}`);
  const isListed = (list: ReadonlySet<string>): boolean => list.has(operation) || list.has(effect);
  if (path !== undefined && effect !== "none" && rules.paths(path, call.workingDirectory))
    return `this is a store of credentials: ${visible(path.real)}`;
  if (path !== undefined && changes.has(effect) && isTrusted(path, call, rules))
    return `other programs execute or trust this file: ${visible(path.real)}`;
  if (isListed(rules.ask)) return "the settings ask about it";
  if (treatments[effect][where] === "allow" || isListed(rules.autoApprove)) return undefined;
  return described(part);
}

const isTrusted = (path: CheckedPath, call: PendingCall, rules: Rules): boolean =>
  rules.names(path, call.workingDirectory) ||
  rules.keys(path, call) ||
  rules.configuration(path, call.workingDirectory);

function described({ effect, where, path }: Part): string {
  const what = `it ${actions[effect]} ${places[where]}`;
  if (path === undefined) return what;
  return `${what}: ${visible(path.real)}`;
}
