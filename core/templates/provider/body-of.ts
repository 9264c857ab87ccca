import type { ModelCall } from "@pergola/sdk";

/** The body of a call, in the words of the service. */
export function bodyOf({ model, messages, sampling }: ModelCall): string {
  return JSON.stringify({
    model,
    messages: messages.map(({ role, content }) => ({ role: role === "tool" ? "user" : role, content })),
    temperature: sampling.temperature,
    max_tokens: sampling.maxTokens,
    stop: sampling.stop,
    stream: true,
  });
}
