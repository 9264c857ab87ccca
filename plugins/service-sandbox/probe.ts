import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import type { SandboxPlan, SandboxState } from "@pergola/sdk/host";
import type { Launcher } from "./launcher.ts";

type Kind = SandboxPlan["kind"];
type Failure = Extract<SandboxState, { readonly works: false }>;

/** Milliseconds that a try may take. */
const patience = 10_000;

const limits = { dataBytes: Infinity, fileBytes: 0, scratchBytes: 4096, processes: Infinity, files: 64 };

const nothing: Omit<SandboxPlan, "kind"> = {
  read: [],
  write: [],
  keep: [],
  network: "none",
  limits,
};

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

function run(program: string, args: readonly string[]): Promise<Failure | undefined> {
  const options = { env: { PATH: "/usr/bin:/bin" }, timeout: patience, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve(error === null ? undefined : failureOf(stderr || stdout || error.message)),
    );
  });
}

/** What of the system a strict sandbox needs to run one small program. */
const libraries = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/bin/true", "/usr/bin/true"];

/** Tries whether a launcher can do what it promises, on this system, as this account. */
export async function tryOut(launcher: Launcher, kind: Kind): Promise<SandboxState> {
  if (!launcher.state.works) return launcher.state;
  const read = kind === "plugin" ? libraries.filter((file) => existsSync(file)) : [];
  const { program, args } = launcher.commandLine({ kind, ...nothing, read }, "/usr/bin/true", []);
  return (await run(program, args)) ?? launcher.state;
}
