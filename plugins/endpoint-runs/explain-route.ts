import { defineRoute } from "@pergola/sdk";
import { runParameter } from "./run-parameter.ts";

const textOrNull = { type: ["string", "null"] } as const;
const changed = { type: ["string", "null"], maxLength: 4096 } as const;

const kinds = ["shape", "model", "authorize", "ask", "call", "result"] as const;

const step = {
  title: "RunStep",
  type: "object",
  required: [
    "at",
    "milliseconds",
    "kind",
    "title",
    "plugin",
    "hook",
    "callId",
    "before",
    "after",
    "note",
    "tokens",
    "costUsd",
  ],
  properties: {
    at: { type: "string", format: "date-time", description: "When it began" },
    milliseconds: { type: "number", description: "How long it took; of a question that waits, so far" },
    kind: {
      enum: kinds,
      description:
        "shape: a plugin changed what the model is given; model: it was chosen, or it answered; " +
        "authorize: a plugin decided on a tool call; ask: the person was asked; call: a tool call; " +
        "result: a plugin changed its result",
    },
    title: { type: "string", description: "What happened, in a few words for a person" },
    plugin: { ...textOrNull, description: "Whose doing it was; null for a plugin that is gone" },
    hook: { ...textOrNull, description: "The hook at which the plugin did it" },
    callId: { ...textOrNull, description: "The tool call that it is about" },
    before: { ...changed, description: "What was changed, around the change; null where nothing changed" },
    after: { ...changed, description: "What became of it: a text, a decision, an answer, a model" },
    note: textOrNull,
    tokens: { type: ["integer", "null"], description: "Of a model call: prompt and answer" },
    costUsd: { type: ["number", "null"], description: "Of a model call; null where no price is known" },
  },
} as const;

export const explainRun = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/explain",
  scope: "read",
  summary: "Explain a run step by step",
  description:
    "Which plugin changed the prompt, chose the model, decided on a call, asked, or changed a result; and " +
    "what each model call saw, how long it took and what it cost. Texts are without secrets. Of a run from " +
    "before steps were recorded, only its calls and questions are listed.",
  params: runParameter,
  response: {
    title: "RunExplanation",
    type: "object",
    required: ["runId", "steps", "count"],
    properties: {
      runId: { type: "string" },
      steps: { type: "array", items: step, description: "In the order in which they began" },
      count: { type: "integer" },
    },
  },
  failures: [],
  async handle({ params: { runId } }, { runs }) {
    const { items, count } = await runs.explain(runId);
    return { body: { runId, steps: items, count } };
  },
});
