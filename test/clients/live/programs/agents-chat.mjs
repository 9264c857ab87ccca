import { turnOf } from "./agents.mjs";

/** The history is the program's, and the model speaks chat completions. */
export async function turn(context) {
  const input = [...(context.state ?? []), { role: "user", content: context.prompt }];
  const result = await turnOf(context, { input, useResponses: false });
  return { text: result.finalOutput, state: result.history };
}
