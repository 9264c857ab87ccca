import { extensionProperties, metadataSchema, objectSchema, runFailures } from "@pergola/kit-provider";
import type { JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const nanoseconds = { ...integer, description: "Nanoseconds" } as const;

const headProperties = { model: text, created_at: text, done: { type: "boolean" } } as const;

const doneProperties = {
  done_reason: { enum: ["stop", "length", "load", "unload"] },
  total_duration: nanoseconds,
  load_duration: nanoseconds,
  prompt_eval_count: integer,
  prompt_eval_duration: nanoseconds,
  eval_count: integer,
  eval_duration: nanoseconds,
  service_metadata: metadataSchema,
} as const;

const call = objectSchema({
  id: text,
  function: objectSchema({ name: text, arguments: { type: "object" } }),
});

const message = objectSchema(
  {
    role: { const: "assistant" },
    content: text,
    thinking: text,
    tool_calls: { type: "array", items: call },
  },
  ["thinking", "tool_calls"],
  { title: "OllamaMessage" },
);

function answersOf(part: Properties, optional: readonly string[], title: string) {
  const whole = objectSchema(
    { ...headProperties, ...part, ...doneProperties },
    [...optional, ...Object.keys(doneProperties)],
    { title },
  );
  const line: JsonSchema = {
    title: `${title}Line`,
    type: "object",
    properties: {
      ...whole.properties,
      ...extensionProperties,
      error: { ...text, description: "Alone in the last line of an answer that fails" },
    },
  };
  return {
    answers: { 200: { "application/json": whole, "application/x-ndjson": line } },
    failures: runFailures,
  };
}

export const chatAnswers = answersOf({ message }, [], "OllamaChat");
export const generateAnswers = answersOf({ response: text, thinking: text }, ["thinking"], "OllamaText");

export const embedFailures = [
  "model_not_found",
  "provider_rejected",
  "provider_rate_limited",
  "provider_error",
  "provider_auth_failed",
  "no_provider",
  "provider_timeout",
];
