import { readResponseFormat } from "@pergola/kit-provider";
import type { ModelCall, Provider } from "@pergola/sdk";

/**
 * Whether the model must be told in words what its answer is to be: where its provider cannot say it, beside
 * tools, which draw a model's mind off it, and where JSON is asked for without a schema, which models only
 * keep to when a message says it too.
 */
function needsWords(call: ModelCall, provider: Pick<Provider, "takesFormat">): boolean {
  const { type } = readResponseFormat(call.sampling.responseFormat);
  if (call.tools.length > 0 || type !== "json_schema") return true;
  return provider.takesFormat?.(call) === false;
}

/** The call with its `formatInWords` behind the system messages at its beginning, where it is needed. */
export function withFormatInWords(call: ModelCall, provider: Pick<Provider, "takesFormat">): ModelCall {
  const { formatInWords, raw, messages } = call;
  if (formatInWords === undefined || raw !== undefined || !needsWords(call, provider)) return call;
  const begin = messages.findIndex(({ role }) => role !== "system");
  const at = begin < 0 ? messages.length : begin;
  const words = { role: "system", content: formatInWords } as const;
  return { ...call, messages: messages.toSpliced(at, 0, words) };
}
