import { defineOperation, ToolError } from "@pergola/sdk";

export const countWords = defineOperation({
  name: "count_words",
  description: "Count the words of a text.",
  effect: "none",
  parameters: { text: { type: "string", maxLength: 100_000, description: "The text" } },
  required: ["text"],
  examples: [{ say: 'count the words of "to be or not"', arguments: { text: "to be or not" } }],
  async run({ text }, { settings }) {
    const words = text.split(/\s+/).filter(Boolean);
    if (words.length === 0)
      throw new ToolError("invalid_value", "The text is blank.", { hint: "Give at least one word." });
    const minimum = settings["tools.sample_name.minimum_length"] as number;
    return { data: { count: words.filter(({ length }) => length >= minimum).length } };
  },
});
