import { ToolError } from "@pergola/sdk";

/** Runs a request to the server. Throws ToolError: its own, or `network_error` for every other failure. */
export async function callDav<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (ToolError.is(error)) throw error;
    const message = `The request to the account's server failed: ${(error as Error).message}.`;
    throw new ToolError("network_error", message.slice(0, 500), {
      hint: "Try once more. If it fails again, ask the person to check the account's address.",
      cause: error,
    });
  }
}

/**
 * Checks the answer to a PUT or DELETE. Throws ToolError `conflict` if another program changed the object
 * since it was read (412), `network_error` for any other refusal.
 */
export function checkChange({ ok, status }: Response): void {
  if (ok) return;
  if (status === 412)
    throw new ToolError("conflict", "Another program changed it in the meantime.", {
      hint: "List it again, then repeat the call.",
    });
  throw new ToolError("network_error", `The account's server refused the change (${status}).`, {
    hint: "Tell the person.",
  });
}
