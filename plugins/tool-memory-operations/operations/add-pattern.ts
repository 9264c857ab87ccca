import { defineOperation, toolDisplay } from "@pergola/sdk";
import { storeLongTerm } from "../memory-of.ts";
import { withExamples } from "../with-examples.ts";

export const addPattern = defineOperation({
  name: "add_pattern",
  description: "Keep a way of doing things.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    pattern: { type: "string", minLength: 1 },
    confidence: { type: "number", minimum: 0, maximum: 1, default: 0.7 },
    examples: { type: "array", items: { type: "string" } },
  },
  required: ["pattern"],
  display: ({ pattern }) => toolDisplay("Keep a pattern", pattern, "brain"),
  examples: [
    {
      say: "note the pattern that tests stand beside their sources",
      arguments: { pattern: "Tests stand beside their sources." },
    },
    { say: "add the pattern that files have short names", arguments: { pattern: "Files have short names." } },
    {
      say: "keep the pattern that errors are logged once",
      arguments: { pattern: "Errors are logged once." },
    },
    { say: "save the pattern that names are nouns", arguments: { pattern: "Names are nouns." } },
    { say: "remember the pattern that names are short", arguments: { pattern: "Names are short." } },
  ],
  run: ({ pattern, confidence, examples = [] }, context) =>
    storeLongTerm(context, {
      kind: "pattern",
      content: withExamples(pattern, examples),
      confidence,
    }),
});
