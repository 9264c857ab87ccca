import { ToolError, type SpawnOptions, type ToolContext } from "@pergola/sdk";
import type { DoorOptions } from "@pergola/sdk/host";
import { commandPlan, helperPlan, type PlanScene } from "./plan-program.ts";

export interface ProgramDoor extends Pick<DoorOptions, "sandbox" | "preference"> {
  readonly workingDirectory: string;
  /** What the plugin's manifest names. */
  readonly programs: readonly string[] | "any";
  readonly signal: AbortSignal;
}

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

const missing = (reason: string, remedy: string): ToolError =>
  new ToolError("unavailable", `There is no sandbox for this program: ${reason}.`, { hint: remedy });

/** Whether a program is walled in. Throws ToolError `unavailable` where it must be and cannot be. */
async function isWalledIn({ kind }: Wish, { sandbox, preference }: ProgramDoor): Promise<boolean> {
  const mode = kind === "helper" ? "required" : (preference("sandbox.programs") ?? "auto");
  if (mode === "none") return false;
  const state = await sandbox?.state(kind === "helper" ? "plugin" : "program");
  if (state?.works === true) return true;
  if (mode === "auto") return false;
  if (state === undefined) throw missing("no plugin brings one", "Tell the person.");
  throw missing(state.reason, `Tell the person: ${state.remedy}`);
}

/**
 * The command line of a program, in a sandbox where the caller wishes for one; none for a call that has ended
 * meanwhile: nobody would end its program.
 */
export const createPrepare =
  (door: ProgramDoor): ToolContext["prepare"] =>
  async (program, args, { cwd = ".", sandbox: wish }) => {
    requirePermission(program, door);
    const isSandboxed = wish !== undefined && (await isWalledIn(wish, door));
    checkSignal(door.signal);
    if (door.sandbox === undefined || !isSandboxed)
      return { program, args, env: {}, sandboxed: false, release: async () => [] };
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
