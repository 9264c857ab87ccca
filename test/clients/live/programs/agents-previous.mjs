import { turnOf } from "./agents.mjs";

/** The history is the service's: each turn names the response before it. */
export async function turn(context) {
  const result = await turnOf(context, { previousResponseId: context.state });
  return { text: result.finalOutput, state: result.lastResponseId };
}
