import { ToolError, type SpawnOptions, type ToolContext } from "@pergola/sdk";
import type { DoorOptions, ProgramReach } from "@pergola/sdk/host";
import { commandPlan, helperPlan, type PlanScene } from "./plan-program.ts";

export interface ProgramDoor
  extends
    Pick<DoorOptions, "sandbox" | "preference">,
    Pick<ProgramReach, "workingDirectory" | "programs" | "signal" | "bare"> {}

type Wish = NonNullable<SpawnOptions["sandbox"]>;

export function requirePermission(program: string, { programs }: Pick<ProgramDoor, "programs">): void {
  if (programs === "any" || programs.includes(program)) return;
  throw new ToolError("permission_denied", `The plugin may not run "${program}".`);
}

/** Throws the call's reason, or ToolError `cancelled`, once the call has ended. */
export function checkSignal(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (ToolError.is(signal.reason)) throw signal.reason;
  throw new ToolError("cancelled", "The program was stopped.");
}

const noSandbox = { reason: "no plugin brings one", remedy: "enable service-sandbox" };

const missing = (reason: string, remedy: string): ToolError =>
  new ToolError("unavailable", `There is no sandbox for this program: ${reason}.`, {
    hint: `Tell the person: ${remedy}`,
  });

/**
 * Why a program is not walled in; undefined where it is. Throws ToolError `unavailable` where it must be and
 * cannot be.
 */
async function whyBare(
  wish: Wish | undefined,
  { sandbox, preference }: ProgramDoor,
): Promise<string | undefined> {
  if (wish === undefined) return "its call asks for none";
  const mode = wish.kind === "helper" ? "required" : (preference("sandbox.programs") ?? "auto");
  if (mode === "none") return "sandbox.programs is none";
  const state = await sandbox?.state(wish.kind === "helper" ? "plugin" : "program");
  if (state?.works === true) return undefined;
  const { reason, remedy } = state ?? noSandbox;
  if (mode === "auto") return reason;
  throw missing(reason, remedy);
}

/**
 * The command line of a program, in a sandbox where the caller wishes for one; none for a call that has ended
 * meanwhile: nobody would end its program.
 */
export const createPrepare =
  (door: ProgramDoor): ToolContext["prepare"] =>
  async (program, args, { cwd = ".", sandbox: wish }) => {
    requirePermission(program, door);
    const reason = await whyBare(wish, door);
    checkSignal(door.signal);
    if (wish === undefined || door.sandbox === undefined || reason !== undefined) {
      door.bare?.(program, reason ?? noSandbox.reason);
      return { program, args, env: {}, sandboxed: false, release: async () => [] };
    }
    const scene: PlanScene = { ...door, cwd };
    const plan = wish.kind === "helper" ? helperPlan(wish) : commandPlan(wish, scene);
    const command = await door.sandbox.wrap(plan, program, args);
    if (door.signal.aborted) await command.release();
    checkSignal(door.signal);
    return {
      program: command.program,
      args: command.args,
      env: command.env,
      sandboxed: true,
      release: async () => {
        await command.release();
        return command.appeared();
      },
    };
  };
