import { defineOperation, toolDisplay } from "@pergola/sdk";
import { storeLongTerm } from "../memory-of.ts";

export const addDiscovery = defineOperation({
  name: "add_discovery",
  description: "Keep a fact for the long term.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    fact: { type: "string", minLength: 1 },
    confidence: { type: "number", minimum: 0, maximum: 1, default: 0.8 },
  },
  required: ["fact"],
  display: ({ fact }) => toolDisplay("Keep a discovery", fact, "brain"),
  examples: [
    {
      say: "note the discovery that the cache is cleared at midnight",
      arguments: { fact: "The cache is cleared at midnight." },
    },
    {
      say: "add a discovery: the lamp flickers in the rain",
      arguments: { fact: "the lamp flickers in the rain" },
    },
    { say: "keep the discovery that the disk is slow", arguments: { fact: "The disk is slow." } },
    { say: "save the discovery that the port is closed", arguments: { fact: "The port is closed." } },
    { say: "a discovery to note: the fan is loud", arguments: { fact: "the fan is loud" } },
  ],
  async run({ fact, confidence }, context) {
    const { data, message } = await storeLongTerm(context, { kind: "discovery", content: fact, confidence });
    return { data: { ...data, fact }, message };
  },
});
