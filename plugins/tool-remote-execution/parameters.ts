import { toolDisplay } from "@pergola/sdk";

/* One description for each parameter, since the operations are offered to a model as one function. */

export const host = { type: "string", description: "user@host" } as const;
export const login = {
  ssh_key: { type: "string", format: "path", description: "Private key file" },
  ssh_port: { type: "integer", minimum: 1, maximum: 65_535, default: 22 },
} as const;
export const installDir = { type: "string", default: "~/.pergola-remote" } as const;

export const files = {
  type: "array",
  items: { type: "string", format: "path" },
  minItems: 1,
} as const;

/** What a call to run a command takes, aside from where. */
export const commandParameters = {
  command: { type: "string" },
  timeout: {
    type: "integer",
    minimum: 1,
    maximum: 3600,
    default: 300,
    description: "Seconds",
  },
  cleanup: { type: "boolean", default: true, description: "Remove its $TMPDIR afterwards" },
  ...login,
  output_files: {
    type: "array",
    items: { type: "string" },
    default: [],
    description: "Copied here afterwards; also $TMPDIR/name",
  },
  working_dir: { type: "string", default: "/tmp" },
} as const;

/** The command of a call, as a person sees it before a yes. */
export const commandPreview = (
  { command: line, timeout, working_dir: workingDirectory }: CommandArguments,
  machines: readonly string[],
) => ({
  command: { line, workingDirectory, host: machines.join(", "), timeoutSeconds: timeout },
  recipients: machines.map(recipientOf),
});

interface CommandArguments {
  readonly command: string;
  readonly timeout: number;
  readonly working_dir: string;
}

/** A machine that gets something. */
export const recipientOf = (machine: string) => ({ kind: "host", name: machine, address: machine }) as const;

/** What a person sees of a call: what is done, and to what. */
export const card = (action: string, subject: string, details: readonly string[] = []) =>
  toolDisplay(action, subject, "server", details);
