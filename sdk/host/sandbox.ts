/** A file or folder that a sandboxed process sees at another path than its own. */
export interface SandboxMount {
  readonly from: string;
  readonly to: string;
}

/** How much a sandboxed process may use; Infinity means no limit of its own. */
export interface SandboxLimits {
  /** Of private memory that each process may hold: heap, buffers, stacks. */
  readonly dataBytes: number;
  /** Of one file that it writes. */
  readonly fileBytes: number;
  /** Of each temporary file system it gets, `/tmp`, and `/dev/shm` for programs; 0: none. */
  readonly scratchBytes: number;
  /** Processes and threads of the sandbox together. Does not bind a service that runs as root. */
  readonly processes: number;
  /** Descriptors that each process may have open. */
  readonly files: number;
}

/** The names that a sandboxed program may reach, and those among private addresses. */
export interface SandboxNetwork {
  readonly hosts: readonly string[] | "public";
  /** Default: `tools.web.allowed_private_hosts`. */
  readonly privateHosts?: readonly string[];
}

/** What a sandboxed process sees, writes and reaches. All paths are absolute and real. */
export interface SandboxPlan {
  /**
   * `plugin`: sees nothing but what `read` and `write` name, no `/proc`, and starts no further process.
   * `program`: sees the system's programs and libraries too, and may start others.
   */
  readonly kind: "plugin" | "program";
  readonly read: readonly (string | SandboxMount)[];
  readonly write: readonly string[];
  /** Read-only and immovable, though they lie below `write`. */
  readonly keep: readonly string[];
  /**
   * Not seen, though they lie below `read` or `write`: an empty folder or file is in their place. For
   * programs the service's data and `authorization.protected_paths` are always among them.
   */
  readonly hide?: readonly string[];
  /**
   * Names such as `.git/hooks` and `.yarnrc*`: what has one at any depth below `write` is kept, too, and what
   * gets one is told by `appeared`. `protected`: those of `authorization.protected_names`.
   */
  readonly keepNames?: readonly string[] | "protected";
  readonly network: "none" | SandboxNetwork;
  readonly limits: SandboxLimits;
  /** Where it starts; default `/`. */
  readonly workingDirectory?: string;
}

/** Whether there is a wall, and which; or why not, and what to do about it. */
export type SandboxState =
  | {
      readonly works: true;
      /** `bubblewrap 0.8.0` */
      readonly by: string;
      /** `namespaces`, `seccomp`, `limits`; what is missing is not there. */
      readonly fences: readonly string[];
      /**
       * true: everything is seen at its own path, a plan with a mount elsewhere is refused; nothing limits
       * memory, and nothing but its group ends with a process. Who starts one watches it.
       */
      readonly inPlace?: true;
    }
  | { readonly works: false; readonly reason: string; readonly remedy: string };

/** A command line that runs something in a sandbox, for `spawn` and terminals alike. */
export interface SandboxedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Variables that it needs beside those of the caller. */
  readonly env: Readonly<Record<string, string>>;
  /** What has come under one of the plan's `keepNames` since: absolute paths. Ask when it has ended. */
  readonly appeared: () => Promise<readonly string[]>;
  /** Gives back what was opened for it. Call it once the command has ended, or was not started. */
  readonly release: () => Promise<void>;
}

/** The one launcher of everything foreign. */
export interface Sandbox {
  /** Tried once a start, at the first question; plugins and programs apart: some systems allow only one. */
  state(kind: SandboxPlan["kind"]): Promise<SandboxState>;
  /**
   * The command line that runs a program, named by its path inside the sandbox, by a plan. Start it from the
   * main thread: it ends with the thread that started it. Start it in a process group of its own, and kill
   * that group once the first process has ended: the next may not be bound to it yet. Rejects with ToolError
   * `unavailable` where there is no sandbox.
   */
  wrap(plan: SandboxPlan, program: string, args: readonly string[]): Promise<SandboxedCommand>;
}

/** What the sandbox needs of the host, before any other part is there. */
export interface SandboxHost {
  readonly dataDirectory: string;
  /** The preference in force, undefined where no plugin declares it. */
  readonly preference: (key: string) => unknown;
}
