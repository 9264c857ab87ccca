import {
  eventsOf,
  frame,
  jsonReply,
  stepsOf,
  type MockPiece,
  type MockReply,
  type ScriptStep,
  type ScriptTurn,
} from "@pergola/sdk/testing";

const reasons: Readonly<Record<string, string>> = { length: "room", content_filter: "taste" };

function piecesOf(step: ScriptStep): readonly MockPiece[] {
  if ("delayMs" in step || "until" in step || "hang" in step) return [step];
  if ("error" in step) return [frame({ trouble: step.error.message, status: step.error.status })];
  return eventsOf(step).flatMap((event) => (event.type === "text" ? [frame({ words: event.text })] : []));
}

/** A scripted turn as Parley says it. */
export function parleyReply(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) {
    const { status, message: trouble, retryAfter } = first.error;
    const headers: Record<string, string> =
      retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return jsonReply({ trouble }, { status, headers });
  }
  const events = steps.flatMap((step) => eventsOf(step));
  const usage = events.find((event) => event.type === "usage")?.usage;
  const counted = usage && {
    heard: usage.promptTokens,
    known: usage.cachedTokens,
    said: usage.completionTokens,
    thought: usage.reasoningTokens,
  };
  const over = reasons[events.find((event) => event.type === "end")?.reason ?? ""] ?? "done";
  const isBroken = steps.some((step) => "error" in step || "hang" in step);
  return { body: [...steps.flatMap(piecesOf), ...(isBroken ? [] : [frame({ over, counted })])] };
}
