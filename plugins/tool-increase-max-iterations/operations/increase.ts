import { defineOperation, ToolError } from "@pergola/sdk";

export const increase = defineOperation({
  name: "increase",
  description: "Raise the limit of this run.",
  effect: "none",
  parameters: {
    requested_iterations: { type: "integer", minimum: 1, description: "The new total" },
    reason: { type: "string", description: "What is still to be done" },
  },
  required: ["requested_iterations", "reason"],
  display: ({ requested_iterations, reason }) => ({
    action: "increase",
    actionDisplayName: "Raise the iteration limit",
    summary: `Asks for ${requested_iterations} iterations`,
    details: [reason],
  }),
  examples: [
    {
      say: "allow 500 iterations for this run, there is a lot to do",
      arguments: { requested_iterations: 500, reason: "There is a lot to do." },
    },
    {
      say: "raise the iteration limit to 400",
      arguments: { requested_iterations: 400, reason: "The person asked for it." },
    },
    {
      say: "you may take up to 600 steps",
      arguments: { requested_iterations: 600, reason: "The person asked for it." },
    },
    {
      say: "increase max iterations to 800 because the migration is long",
      arguments: { requested_iterations: 800, reason: "The migration is long." },
    },
    {
      say: "you get 450 iterations now",
      arguments: { requested_iterations: 450, reason: "The person asked for it." },
    },
    {
      say: "more iterations please: 350",
      arguments: { requested_iterations: 350, reason: "The person asked for it." },
    },
  ],
  async run({ requested_iterations, reason }, { run }) {
    if (run === null) {
      throw new ToolError("unavailable", "There is no run whose limit could be raised.", {
        hint: "Call this tool from inside a run.",
      });
    }
    const { previous, limit } = await run.setMaxIterations(requested_iterations);
    const data = { previousMax: previous, newMax: limit, currentIteration: run.iteration, reason };
    return { data, message: `The limit of this run is now ${limit} iterations.` };
  },
});
