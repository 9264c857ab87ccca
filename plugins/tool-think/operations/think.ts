import { defineOperation } from "@pergola/sdk";

/** The first line that says something, short enough for a card. */
const headline = (text: string): string => {
  const line =
    text
      .split("\n")
      .find((candidate) => candidate.trim() !== "")
      ?.trim() ?? "";
  return line.length <= 100 ? line : `${[...line].slice(0, 99).join("")}…`;
};

export const think = defineOperation({
  name: "think",
  description: "Note a thought or a plan.",
  effect: "none",
  parameters: {
    thoughts: { type: "string", description: "The thought", aliases: ["thought"] },
    requested_tools: { type: "array", items: { type: "string" }, description: "Tools you mean to use next" },
  },
  required: ["thoughts"],
  display: ({ thoughts }) => ({
    action: "think",
    actionDisplayName: "Think",
    summary: headline(thoughts),
    details: thoughts.split("\n").filter((line) => line.trim() !== ""),
  }),
  examples: [
    {
      say: "think about the best way to sort my photos",
      arguments: { thoughts: "What is the best way to sort the photos?" },
    },
    {
      say: "think this through before you answer",
      arguments: { thoughts: "What exactly is asked, and what do I know already?" },
    },
    { say: "reflect on what could go wrong", arguments: { thoughts: "What could go wrong?" } },
    { say: "make a plan first", arguments: { thoughts: "The steps, one by one:" } },
    {
      say: "work out in your head how to split the task",
      arguments: { thoughts: "How could the task be split?" },
    },
    { say: "consider the risks of the change", arguments: { thoughts: "What are the risks of the change?" } },
    { say: "reason about the delay", arguments: { thoughts: "What causes the delay?" } },
  ],
  async run({ thoughts, requested_tools = [] }) {
    const next = requested_tools.length === 0 ? "Go on." : `Go on with ${requested_tools.join(", ")}.`;
    return { data: thoughts, message: next };
  },
});
