import type { Warn } from "@pergola/kit-provider";
import { defined, isObject, type Json, type Sampling, type Thinking } from "@pergola/sdk";
import { chatBody, type AnswerBody } from "./body-schemas.ts";

const honoured = new Set(Object.keys(chatBody.properties.options.properties));

function formatOf({ format }: AnswerBody): Json | undefined {
  if (format === "json") return { type: "json_object" };
  if (!isObject(format)) return undefined;
  const { strict, ...schema } = format;
  // A property of the schema's own could have this name only under `properties`.
  return { type: "json_schema", json_schema: defined({ name: "answer", schema, strict }) };
}

/** Below 1 it means no limit, which is the model's own. */
const limitOf = (count: number | null | undefined): number | undefined =>
  count !== undefined && count !== null && count >= 1 ? count : undefined;

/** The `options` and the `format` of a request; `warn` hears which options nobody takes. */
export function readSampling(body: AnswerBody, warn: Warn): Sampling {
  const options = body.options ?? {};
  for (const [key, value] of Object.entries(options)) {
    if (value !== null && !honoured.has(key)) warn(`options.${key} was left out: no provider is told it`);
  }
  return defined({
    temperature: options.temperature ?? undefined,
    topP: options.top_p ?? undefined,
    maxTokens: limitOf(options.num_predict),
    seed: options.seed ?? undefined,
    contextSize: limitOf(options.num_ctx),
    stop: options.stop ?? undefined,
    repetitionPenalty: options.repeat_penalty ?? undefined,
    presencePenalty: options.presence_penalty ?? undefined,
    frequencyPenalty: options.frequency_penalty ?? undefined,
    responseFormat: formatOf(body),
  });
}

const efforts: ReadonlyMap<unknown, Thinking["effort"]> = new Map([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["max", "high"],
]);

/** Undefined leaves it to the model. */
export function readThinking({ think }: AnswerBody): Thinking | undefined {
  if (think === undefined || think === null || think === "") return undefined;
  if (think === false) return { mode: "disabled" };
  return { mode: "enabled", ...defined({ effort: efforts.get(think) }) };
}
