import { ToolError } from "@pergola/sdk";

/** The ToolError that a call fails with; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ToolError> {
  const error = await call.then(
    () => new Error("The call succeeded."),
    (reason: unknown) => reason,
  );
  if (ToolError.is(error)) return error;
  throw error;
}
