import { ToolError } from "@pergola/sdk";
import type * as protocolTypes from "@modelcontextprotocol/client";

/** How a connection begins: asking which revision the server speaks, or with the handshake of older ones. */
export type Mode = "auto" | "legacy";

type Protocol = Pick<typeof protocolTypes, "SdkError" | "SdkErrorCode">;

/**
 * Opens a connection to a server of any revision. Where nothing has shown which one it speaks, `open` is
 * called once more: some older servers fail or end at a request that comes before their handshake. Rejects
 * with what `open` rejects with.
 */
export async function inEitherEra<T>(protocol: Protocol, open: (mode: Mode) => Promise<T>): Promise<T> {
  return open("auto").catch((error: unknown) => {
    if (!isUndecided(protocol, error)) throw error;
    return open("legacy");
  });
}

/** One that has refused us for a reason of its own, such as a sign-in, was not asked yet. */
function isUndecided({ SdkError, SdkErrorCode }: Protocol, error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof SdkError)) return isUndecided({ SdkError, SdkErrorCode }, error.cause);
  return error.code === SdkErrorCode.EraNegotiationFailed && !ToolError.is(error.cause);
}
