import { AppError, ToolError, type ToolResult } from "@pergola/sdk";
import { outcomeUnknown } from "@pergola/sdk/host";
import type { Checked } from "./check-call.ts";
import { isHarmless } from "./describe-tool.ts";
import { failed } from "./guards.ts";
import type { Passage } from "./passage.ts";

/** What is said of a call that may have happened before the last stop. */
export const unknownOutcome = (): ToolError =>
  new ToolError("outcome_unknown", outcomeUnknown.message, { hint: outcomeUnknown.hint });

/** The result of a call that ended in `error`; without `call` it failed before it was checked. */
export async function failure(
  passage: Passage,
  call: Checked | undefined,
  error: unknown,
): Promise<ToolResult> {
  const { parts, request, setting } = passage;
  const { id, name } = request;
  const cause = setting.signal.aborted ? await cancellation(passage, call) : error;
  if (ToolError.is(cause))
    return { ...failed(cause.code, parts.redact(cause.message), parts.redact(cause.hint)), ...cause.fields };
  if (AppError.is(cause)) return failed(cause.code, parts.redact(cause.message));
  parts.log.error({ error: cause, call: id, tool: name }, "a tool failed unexpectedly");
  const reason = cause instanceof Error ? parts.redact(cause.message) : "unknown fault";
  const hint = "Try another way; the service's log has the details.";
  return failed("generic_error", `${name} failed: ${reason}`, hint);
}

/** What a cancelled call may have done, by how far it came, now or before the last stop. */
async function cancellation(
  { parts, request, setting, progress }: Passage,
  call: Checked | undefined,
): Promise<ToolError> {
  const hasEffect = call !== undefined && !isHarmless(call.effect);
  if (progress.begun && hasEffect)
    return new ToolError("cancelled", "The call was cancelled while it ran; it may have had its effect.", {
      hint: "Check what it did before you repeat it, and tell the person.",
    });
  const wasStarted = (): Promise<boolean> =>
    parts.stores.calls.get(request.id).then(
      (started) => started !== undefined,
      () => true,
    );
  return setting.resumed === true && (await wasStarted())
    ? unknownOutcome()
    : new ToolError("cancelled", "The call was cancelled.");
}
