import { AppError, defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const time = { type: "string", format: "date-time" } as const;
const role = { enum: ["user", "assistant", "tool", "system"] } as const;

const hitSchema = {
  title: "FoundMessage",
  type: "object",
  required: [
    "messageId",
    "conversationId",
    "title",
    "role",
    "timestamp",
    "snippet",
    "marks",
    "onActiveBranch",
  ],
  properties: {
    messageId: text,
    conversationId: text,
    title: { ...text, description: "The conversation's" },
    role,
    timestamp: time,
    snippet: { ...text, description: "Plain text, some 200 characters around the best place" },
    marks: {
      type: "array",
      description: "What matches, in the snippet: [start, length] in UTF-16 code units",
      items: { type: "array", minItems: 2, maxItems: 2, items: count },
    },
    onActiveBranch: { type: "boolean" },
  },
} as const;

export const searchMessages = defineRoute({
  method: "GET",
  path: "/api/search",
  scope: "read",
  summary: "Find messages by their words, the newest first",
  description:
    "A message is found when it holds everything that q names: words, phrases in quotation marks, and " +
    "beginnings of words with * behind them. Case, accents and all other signs make no difference. Hidden " +
    "conversations are left out. Of a message the first 100,000 characters are searched.",
  query: {
    q: { ...text, description: 'Required: words, "phrase", word*' },
    conversationId: { ...text, description: "UUID or alias" },
    role: { ...role, description: "Those of this role" },
    from: { ...time, description: "Inclusive" },
    to: { ...time, description: "Exclusive" },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 20, description: "At most so many" },
    offset: { ...count, default: 0, description: "How many to pass over" },
  },
  response: {
    title: "FoundMessages",
    type: "object",
    required: ["hits", "count", "complete"],
    properties: {
      hits: { type: "array", items: hitSchema },
      count: { ...count, maximum: 1000, description: "Matches before paging; counted up to 1000" },
      complete: { type: "boolean", description: "False while messages are still being indexed" },
    },
  },
  failures: [],
  async handle({ query: { q, ...rest } }, { search }: ServicesWith<"search">) {
    if (q === undefined) {
      const message = "q is missing. Give it the words to look for.";
      throw new AppError({ code: "missing_field", message, param: "q" });
    }
    return { body: await search.messages({ q, ...rest }) };
  },
});

export const search = defineEndpoints({ group: "search", needs: "search", routes: [searchMessages] });
