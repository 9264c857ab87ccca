import { streamChunks, type StreamChunk } from "@pergola/sdk/testing";
import { eventually } from "../../support/lab-stage.ts";
import type { Plan } from "./plan.ts";
import type { Service, Trace } from "./service.ts";

export const chatBody = ({ project }: Service, plan: Plan, more: object = {}) => ({
  model: "default",
  conversationId: plan.id,
  messages: [{ role: "user", content: JSON.stringify(plan) }],
  service_config: { working_directory: project.folder },
  ...more,
});

/**
 * Sends a plan as a chat, to see each chunk as it comes. `ended`: the answer came to its proper end. `cut`:
 * the host was gone before. Anything else is the error that it got.
 */
export async function follow(
  service: Service,
  plan: Plan,
  {
    saw = () => undefined,
    conversationId = plan.id,
  }: { readonly saw?: (chunk: StreamChunk) => void; readonly conversationId?: string } = {},
): Promise<string> {
  let end = "cut";
  try {
    const body = chatBody(service, plan, { stream: true, conversationId });
    const answer = await service.request("POST", "/api/chat/completions", body);
    if (!answer.ok) return `${answer.status} ${await answer.text()}`;
    for await (const chunk of streamChunks(answer)) {
      saw(chunk);
      if (chunk["error"] !== undefined) end = JSON.stringify(chunk["error"]);
      else if (typeof chunk.choices?.[0]?.finish_reason === "string") end = "ended";
    }
    return end;
  } catch {
    return "cut";
  }
}

/** Resolves when the call has left this line. */
export const traced = (service: Service, word: Trace["word"], callId: string): Promise<Trace> =>
  eventually(() => service.traces().find((trace) => trace.word === word && trace.callId === callId));

/** How often the call has begun, had its effect and ended. */
export function traceOf(service: Service, callId: string): Readonly<Record<Trace["word"], number>> {
  const words = service.traces().flatMap((trace) => (trace.callId === callId ? [trace.word] : []));
  const count = (word: Trace["word"]): number => words.filter((each) => each === word).length;
  return { begin: count("begin"), effect: count("effect"), end: count("end") };
}
