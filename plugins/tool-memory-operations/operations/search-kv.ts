import { defineOperation, toolDisplay } from "@pergola/sdk";
import { allKeys, asData, entryOf } from "../entries.ts";
import { memoryOf } from "../memory-of.ts";

/** The least similarity of a value that holds the query nowhere as it stands. */
const [threshold, limit] = [0.3, 50];

export const searchKv = defineOperation({
  name: "search_kv",
  description: "Find keys and values.",
  effect: "read",
  parameters: { query: { type: "string", minLength: 1 } },
  required: ["query"],
  display: ({ query }) => toolDisplay("Search values", query, "brain"),
  examples: [
    { say: "search the stored values for password hints", arguments: { query: "password hints" } },
    { say: "find stored values that mention the printer", arguments: { query: "the printer" } },
    { say: "search the stored values for proxy", arguments: { query: "proxy" } },
    { say: "which stored values mention the proxy?", arguments: { query: "the proxy" } },
  ],
  async run({ query }, context) {
    const memory = memoryOf(context);
    const text = query.toLowerCase();
    const literal = (await allKeys(memory)).filter(({ key, content }) =>
      `${key ?? ""}\n${content}`.toLowerCase().includes(text),
    );
    const hits = await memory.search({ query, kinds: ["kv"], limit, threshold });
    const alike = hits.map(({ item }) => item);
    const found = new Map([...literal, ...alike].map((item) => [item.id, item]));
    const entries = [...found.values()].slice(0, limit);
    return { data: { entries: entries.map(entryOf) }, message: asData };
  },
});
