import { toolDisplay } from "@pergola/sdk";

/* One description for each parameter, since the operations are offered to a model as one function. */

export const host = { type: "string", description: "user@host" } as const;
export const sshKey = { type: "string", format: "path", description: "Private key file" } as const;
export const sshPort = { type: "integer", minimum: 1, maximum: 65_535, default: 22 } as const;
export const installDir = { type: "string", default: "~/.pergola-remote" } as const;

export const files = {
  type: "array",
  items: { type: "string", format: "path" },
  minItems: 1,
} as const;

/** What a call to run a command takes, aside from where. */
export const commandParameters = {
  command: { type: "string" },
  timeout: { type: "integer", minimum: 1, maximum: 3600, default: 300, description: "Seconds" },
  cleanup: { type: "boolean", default: true, description: "Remove its $TMPDIR afterwards" },
  ssh_key: sshKey,
  ssh_port: sshPort,
  output_files: {
    type: "array",
    items: { type: "string" },
    default: [],
    description: "Copied here afterwards; also $TMPDIR/name",
  },
  working_dir: { type: "string", default: "/tmp" },
} as const;

/** What a person sees of a call: what is done, and to what. */
export const card = (action: string, subject: string, details: readonly string[] = []) =>
  toolDisplay(action, subject, "server", details);
