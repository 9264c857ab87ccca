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

/** Sends a plan as a chat, to see each chunk as it comes. True when the answer came to its proper end. */
export async function follow(service: Service, plan: Plan, saw: (chunk: StreamChunk) => void = () => undefined): Promise<boolean> {
  let ended = false;
  try {
    const answer = await service.request("POST", "/api/chat/completions", chatBody(service, plan, { stream: true }));
    for await (const chunk of streamChunks(answer)) {
      saw(chunk);
      ended ||= chunk.choices?.[0]?.finish_reason !== null && chunk.choices?.[0] !== undefined;
    }
    return ended;
  } catch {
    return false;
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
