const text = { type: "string" } as const;
const object = { type: "object" } as const;
const failure = { type: "object", properties: { code: text, message: text } } as const;
const list = <T extends object>(items: T) => ({ type: "array", items }) as const;

const written = { description: "A JSON object, or the text that is none" } as const;
const toolCall = { type: "object", properties: { id: text, name: text, arguments: written } } as const;
const yes = { const: true } as const;

const execution = {
  type: "object",
  properties: {
    id: text,
    tool: text,
    operation: text,
    arguments: written,
    approval: { type: "object", properties: { decision: text, text } },
    granted: { ...yes, description: "An earlier approval covered it" },
    refused: { ...yes, description: "It was answered without its operation" },
    shaped: { ...yes, description: "A plugin's hook changed its result" },
    given: { ...object, description: "Written by hand: what the operation gives to the hooks" },
    result: { description: "What the model was told" },
  },
} as const;

const step = {
  type: "object",
  properties: {
    answer: {
      type: "object",
      properties: { text, toolCalls: list(toolCall), finishReason: text, error: failure },
    },
    executions: list(execution),
  },
} as const;

/** A recording on the wire. */
export const cassetteSchema = {
  title: "Cassette",
  type: "object",
  required: ["format", "recorded", "settings", "families", "request", "steps", "end"],
  properties: {
    format: { const: "pergola-cassette/1" },
    recorded: { ...object, description: "Where it comes from; a replay does not read it" },
    settings: {
      ...object,
      description: "Preferences that decide over tool calls, where somebody has set them",
    },
    families: { ...list(object), description: "Called tool families that are not Pergola's own" },
    request: object,
    steps: { ...list(step), description: "The model calls, each with the tool calls that it led to" },
    end: { type: "object", properties: { reason: text, text, error: failure } },
  },
} as const;
