import type { Grant, Write } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Checked } from "./check-call.ts";

/** The call itself asks to run outside of the sandbox. */
const leavesSandbox = ({ arguments: args }: Pick<Checked, "arguments">): boolean =>
  args["unsandboxed"] === true;

/**
 * Why the programs of a call that runs any would run with all rights of the person, in words for them;
 * undefined where they are walled in, or where the call runs none.
 */
async function withoutWalls(parts: Parts, call: Checked): Promise<string | undefined> {
  const { entry, effect } = call;
  if (effect !== "execute" || entry.plugin.permissions.processes !== "any") return undefined;
  if (leavesSandbox(call)) return "it is not sandboxed, as the call asks";
  if (parts.preference("sandbox.programs") === "none") return "it is not sandboxed, as sandbox.programs says";
  const state = await parts.sandbox.state("program");
  return state.works ? undefined : `it is not sandboxed: ${state.reason}`;
}

/** The sandbox in which the programs of a call would run, as `bubblewrap 0.8.0`; null where there is none. */
export async function wallOf(parts: Parts, call: Checked): Promise<string | null> {
  if ((await withoutWalls(parts, call)) !== undefined) return null;
  const state = await parts.sandbox.state("program");
  return state.works ? state.by : null;
}

/** Why a person is asked; where a program would run without walls, that too. */
export async function withWalls(parts: Parts, call: Checked, reason: string): Promise<string> {
  const bare = await withoutWalls(parts, call);
  return bare === undefined ? reason : `${reason}; ${bare}`;
}

/**
 * The use of a permission that the person gave before. Without a sandbox a lasting one does not count for
 * programs, and a call that leaves the sandbox is always asked about by itself.
 */
export async function usableGrant(
  parts: Parts,
  call: Checked,
  conversationId: string,
): Promise<Write | undefined> {
  if (leavesSandbox(call)) return undefined;
  const grant = await parts.approvals.useGrant(call, conversationId);
  if (grant === undefined || "delete" in grant) return grant;
  return (await withoutWalls(parts, call)) === undefined ? grant : undefined;
}

/** When a permission ends by itself, ISO 8601 in UTC; null for one that has no time, or ends by this use. */
export const endOfGrant = (use: Write): string | null => ("put" in use ? (use.put as Grant).expiresAt : null);
