import { createHash } from "node:crypto";
import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Repository } from "./repository.ts";

interface KnownRemote {
  readonly id: string;
  readonly root: string;
  readonly address: string;
}

/**
 * The person says once for each address of a repository that it may be asked with the person's keys and
 * passwords: the address is the repository's word, and a repository may come from anybody. Throws ToolError
 * `denied`.
 */
export async function requireKnown(
  context: ToolContext,
  { root }: Repository,
  addresses: readonly string[],
): Promise<void> {
  const known = context.collection<KnownRemote>("remotes");
  for (const address of addresses) {
    const id = createHash("sha256").update(`${root}\0${address}`).digest("hex");
    if ((await known.get(id)) !== undefined) continue;
    const { decision } = await context.ask({
      prompt: `Pull from ${plainAddress(address)} for the first time, with your git passwords and keys?`,
      context: `The repository ${root} names this address.`,
      authorizeOperation: "version_control.pull",
    });
    if (decision !== "approved")
      throw new ToolError("denied", "The person does not want to use this remote.", {
        hint: "Go on without it.",
      });
    await known.put({ id, root, address });
  }
}

/** Without a password that stands in it. */
const plainAddress = (address: string): string => address.replace(/(?<=^\w+:\/\/)[^@/]*@/, "");
