import type { SandboxedCommand, SandboxPlan, SandboxState } from "@pergola/sdk/host";

/** How one platform walls something in. */
export interface Launcher {
  /** What of it there is, before it is tried. */
  readonly state: SandboxState;
  readonly commandLine: (
    plan: SandboxPlan,
    program: string,
    args: readonly string[],
  ) => Pick<SandboxedCommand, "program" | "args" | "env">;
}

/** A platform without walls. */
export const noLauncher = (reason: string, remedy: string): Launcher => ({
  state: { works: false, reason, remedy },
  commandLine: () => {
    throw new Error(reason);
  },
});
