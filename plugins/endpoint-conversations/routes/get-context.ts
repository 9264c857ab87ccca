import { defined, defineRoute } from "@pergola/sdk";
import { idParameter } from "../schemas.ts";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const tokens = { ...count, description: "Estimated" } as const;

const kinds = [
  "system",
  "personality",
  "tools",
  "block",
  "memories",
  "summary",
  "history",
  "reserve",
] as const;

export const getContext = defineRoute({
  method: "GET",
  path: "/v1/conversations/{conversationId}/context",
  scope: "read",
  summary: "Show what the last model call of a run saw",
  params: idParameter,
  query: {
    runId: { ...text, description: "Without it, the last run that has called a model" },
    text: {
      type: "boolean",
      default: false,
      description: "With the texts of the parts that are kept and unchanged since, without secrets",
    },
  },
  response: {
    type: "object",
    required: [
      "runId",
      "model",
      "contextWindow",
      "usable",
      "estimatedTokens",
      "parts",
      "messages",
      "archives",
      "memories",
    ],
    properties: {
      runId: text,
      model: { ...text, description: "The model for which the call was made" },
      contextWindow: { ...count, description: "Tokens: the model's, or the conversation's own limit" },
      usable: { ...count, description: "Of these, what may be sent" },
      estimatedTokens: { ...count, description: "Of all that was sent" },
      parts: {
        type: "array",
        description:
          "Each kind once; block: the facts behind the newest message; reserve: left to the answer",
        items: {
          type: "object",
          required: ["kind", "title", "tokens"],
          properties: {
            kind: { enum: kinds },
            title: { ...text, description: "What it is, in a few words for a person" },
            tokens,
            text,
          },
        },
      },
      messages: {
        type: "array",
        description: "Those of the branch up to the call, in order",
        items: {
          type: "object",
          required: ["messageId", "tokens", "state"],
          properties: {
            messageId: text,
            tokens,
            state: {
              enum: ["whole", "pinned", "left_out"],
              description: "pinned: in sight, though messages around it were left out",
            },
          },
        },
      },
      archives: {
        type: "array",
        description: "What stood for the messages that were left out",
        items: {
          type: "object",
          required: ["id", "from", "to", "messages", "summary"],
          properties: {
            id: text,
            from: { ...text, description: "When its first message was said" },
            to: text,
            messages: count,
            summary: text,
          },
        },
      },
      memories: {
        type: "array",
        description: "What was remembered for it",
        items: {
          type: "object",
          required: ["id", "similarity"],
          properties: {
            id: text,
            similarity: {
              type: ["number", "null"],
              description: "0 to 1; null where it is shown whatever the question is",
            },
          },
        },
      },
    },
  },
  failures: [],
  async handle({ params, query: { text: withText, runId } }, { conversations }) {
    const query = { text: withText, ...defined({ runId }) };
    return { body: await conversations.context(params.conversationId, query) };
  },
});
