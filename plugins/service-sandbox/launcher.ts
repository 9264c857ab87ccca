import type { Awaitable } from "@pergola/sdk";
import type { SandboxedCommand, SandboxPlan, SandboxState } from "@pergola/sdk/host";

/** A command line, and what its end gives back. */
export interface LaunchLine extends Pick<SandboxedCommand, "program" | "args" | "env"> {
  readonly release?: () => Promise<void>;
}

/** How one platform walls something in. */
export interface Launcher {
  /** What of it there is, before it is tried. */
  readonly state: SandboxState;
  /** `proxyPort`: the one port of this computer's loopback that the program may reach. */
  readonly commandLine: (
    plan: SandboxPlan,
    program: string,
    args: readonly string[],
    proxyPort?: number,
  ) => Awaitable<LaunchLine>;
}

/** A platform without walls. */
export const noLauncher = (reason: string, remedy: string): Launcher => ({
  state: { works: false, reason, remedy },
  commandLine: () => {
    throw new Error(reason);
  },
});
