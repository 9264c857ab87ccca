import type { JsonSchema, MemoryKind, MemoryOrigin, Properties } from "@pergola/sdk";

export const kinds = [
  "memory",
  "kv",
  "discovery",
  "solution",
  "pattern",
] as const satisfies readonly MemoryKind[];
export const origins = ["user", "model", "tool", "import"] as const satisfies readonly MemoryOrigin[];

export const idParameter = { id: { type: "string", description: "UUID" } } as const;

const share = { type: "number", minimum: 0, maximum: 1 } as const;

/** What can be changed. */
export const changeableProperties = {
  content: { type: "string", pattern: "\\S" },
  contentType: {
    type: "string",
    pattern: "\\S",
    maxLength: 100,
    description: "A word for what it is, such as fact",
  },
  tags: { type: "array", items: { type: "string", pattern: "\\S" } },
  context: { type: ["string", "null"], description: "Further text to find it by" },
  importance: share,
  confidence: share,
} as const;

const { confidence: _confidence, ...writtenProperties } = changeableProperties;

/** What a person writes down. */
export const draftProperties = writtenProperties;

const numberOfEach = (names: readonly string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
});

export const countsSchema: JsonSchema = {
  title: "MemoryCounts",
  type: "object",
  description: "With counts=true: how many match if only this filter were another; the others stay",
  properties: {
    scope: {
      type: "object",
      description: "By scopeId; scopes without a match are left out",
      additionalProperties: { type: "integer" },
    },
    origin: numberOfEach(origins),
    kind: numberOfEach(kinds),
  },
};

export const memoryProperties: Properties = {
  id: { type: "string" },
  scopeKind: { enum: ["conversation", "topic"] },
  scopeId: { type: "string" },
  kind: { enum: kinds },
  key: { type: ["string", "null"], description: "Of the kind kv" },
  ...changeableProperties,
  origin: { enum: origins, description: "Who said it" },
  metadata: { type: "object" },
  source: {
    type: ["object", "null"],
    description: "Where it comes from; null where that is not known",
    properties: {
      conversationId: { type: "string" },
      messageId: {
        type: ["string", "null"],
        description: "The person's; null for what was stored by hand, and where the message is gone",
      },
      at: { type: "string", description: "When it was said, or stored by hand" },
    },
  },
  createdAt: { type: "string" },
  updatedAt: { type: "string" },
};
