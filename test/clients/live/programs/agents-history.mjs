import { turnOf } from "./agents.mjs";

/** The history is the program's. */
export async function turn(context) {
  const input = [...(context.state ?? []), { role: "user", content: context.prompt }];
  const result = await turnOf(context, { input });
  return { text: result.finalOutput, state: result.history };
}
