import { defineOperation, toolDisplay } from "@pergola/sdk";
import { storeLongTerm } from "../memory-of.ts";
import { withExamples } from "../with-examples.ts";

export const addSolution = defineOperation({
  name: "add_solution",
  description: "Keep how an error was solved.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    error: { type: "string", minLength: 1 },
    solution: { type: "string", minLength: 1 },
    examples: { type: "array", items: { type: "string" } },
  },
  required: ["error", "solution"],
  display: ({ error }) => toolDisplay("Keep a solution", error, "brain"),
  examples: [
    {
      say: "note that the error 'port in use' is solved by stopping the old server",
      arguments: { error: "port in use", solution: "Stop the old server." },
    },
    {
      say: "add a solution for the error timeout: raise the limit",
      arguments: { error: "timeout", solution: "raise the limit" },
    },
    {
      say: "the error timeout was solved by raising the limit, note that",
      arguments: { error: "timeout", solution: "raising the limit" },
    },
    {
      say: "note the solution for the error timeout: raise the limit",
      arguments: { error: "timeout", solution: "raise the limit" },
    },
    {
      say: "record that the error timeout is solved by a higher limit",
      arguments: { error: "timeout", solution: "a higher limit" },
    },
  ],
  run: ({ error, solution, examples = [] }, context) =>
    storeLongTerm(context, {
      kind: "solution",
      content: withExamples(`Problem: ${error}\nSolution: ${solution}`, examples),
      metadata: { error, solution },
    }),
});
