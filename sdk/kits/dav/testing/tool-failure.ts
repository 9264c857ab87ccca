import { ToolError } from "@pergola/sdk";

/** Returns the ToolError that a call fails with. Throws anything else, and if the call succeeds. */
export async function toolFailure(call: Promise<unknown>): Promise<ToolError> {
  const error = await call.then(
    () => new Error("The call succeeded."),
    (reason: unknown) => reason,
  );
  if (ToolError.is(error)) return error;
  throw error;
}
