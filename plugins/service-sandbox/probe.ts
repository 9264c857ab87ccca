import type { SandboxPlan, SandboxState } from "@pergola/sdk/host";
import type { Launcher } from "./launcher.ts";
import { barePlan, runWithin, tryForbidden } from "./try-forbidden.ts";

type Kind = SandboxPlan["kind"];
type Failure = Extract<SandboxState, { readonly works: false }>;

/** What the system says when it lets nobody make namespaces, and what helps. */
const remedies: readonly (readonly [said: RegExp, remedy: string])[] = [
  [
    /setting up uid map: Permission denied|RTM_NEWADDR/,
    "AppArmor forbids it: install the package apparmor-profiles, and its bwrap-userns-restrict.",
  ],
  [
    /max_\S+_namespaces|No permissions to create|Creating new namespace failed/,
    "Allow user namespaces: kernel.unprivileged_userns_clone=1 and user.max_user_namespaces above 0. " +
      "In a container, start it with a seccomp profile that allows them.",
  ],
  [
    /mount proc|\/proc/,
    "The container forbids a /proc of its own. Start it with systempaths=unconfined, or run without it.",
  ],
];

function failureOf(output: string): Failure {
  const [reason = ""] = output.trim().split("\n");
  const remedy = remedies.find(([said]) => said.test(output))?.[1];
  return {
    works: false,
    reason: reason.replace(/^bwrap: /, "bubblewrap says: ") || "it ended without a word",
    remedy: remedy ?? "docs/sandbox.md says what it needs.",
  };
}

const leaking = (could: readonly string[]): Failure => ({
  works: false,
  reason: `the sandbox leaks: a program in it could ${could.join(", ")}`,
  remedy: "Install the system's own bubblewrap anew, and report it if that changes nothing.",
});

/** A filter that could not be tried is named as such. */
function untried(state: SandboxState): SandboxState {
  if (!state.works) return state;
  const fences = state.fences.map((fence) => (fence === "seccomp" ? "seccomp (not tried: no perl)" : fence));
  return { ...state, fences };
}

/**
 * Tries whether a launcher can do what it promises, on this system, as this account. A wall for plugins works
 * only if each of ten forbidden things is refused behind it. `folder` is one of the service's own.
 */
export async function tryOut(launcher: Launcher, kind: Kind, folder: string): Promise<SandboxState> {
  if (!launcher.state.works) return launcher.state;
  if (kind === "program") {
    const ran = await runWithin(launcher, barePlan("program"), ["/usr/bin/true"]);
    return typeof ran === "string" ? launcher.state : failureOf(ran.output);
  }
  const tried = await tryForbidden(launcher, folder);
  if ("output" in tried) return failureOf(tried.output);
  if (tried.could.length > 0) return leaking(tried.could);
  return tried.callsTried ? launcher.state : untried(launcher.state);
}
