import { ToolError, type ToolContext } from "@pergola/sdk";
import type { AuthenticationType, ParsedKey } from "ssh2";
import { defaultKeys } from "./home.ts";

/** One way to prove who we are. */
export interface LoginMethod {
  readonly type: Extract<AuthenticationType, "agent" | "publickey">;
  readonly agent?: string;
  readonly key?: ParsedKey;
}

export interface Login {
  readonly methods: readonly LoginMethod[];
  /** Sentences on keys that could not be used. */
  readonly notes: readonly string[];
}

async function readKey(text: string): Promise<ParsedKey | "encrypted" | "unusable"> {
  const { default: ssh2 } = await import("ssh2");
  const key = ssh2.utils.parseKey(text);
  if (!(key instanceof Error) && key.isPrivateKey()) return key;
  if (key instanceof Error && /encrypted/i.test(key.message)) return "encrypted";
  return "unusable";
}

const advice = "Load it into the SSH agent with ssh-add and leave ssh_key out.";

async function namedKey(file: string, context: ToolContext): Promise<Login> {
  const key = await readKey(await context.files.readText(file));
  if (key === "encrypted")
    throw new ToolError("invalid_value", `The key ${file} is locked with a passphrase.`, { hint: advice });
  if (key === "unusable")
    throw new ToolError("invalid_value", `${file} is not a private key.`, {
      hint: "Name the private key, not the .pub file.",
    });
  return { methods: [{ type: "publickey", key }], notes: [] };
}

/**
 * The named key alone; without one the agent at `SSH_AUTH_SOCK`, then the default keys in ~/.ssh that have no
 * passphrase.
 */
export async function loginWith(sshKey: string | undefined, context: ToolContext): Promise<Login> {
  if (sshKey !== undefined && sshKey !== "") return namedKey(sshKey, context);
  const agent = process.env["SSH_AUTH_SOCK"];
  const methods: LoginMethod[] = [];
  const notes: string[] = [];
  if (agent) methods.push({ type: "agent", agent });
  for (const { file, text } of defaultKeys()) {
    const key = await readKey(text);
    if (typeof key !== "string") methods.push({ type: "publickey", key });
    if (key === "encrypted") notes.push(`The key ${file} is locked with a passphrase.`);
  }
  if (methods.length > 0) return { methods, notes };
  throw new ToolError("unavailable", "There is no SSH key to log in with.", {
    hint: [...notes, "Ask the person to load a key into the SSH agent, or name one as ssh_key."].join(" "),
  });
}
