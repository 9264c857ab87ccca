import { type ScriptTurn } from "@pergola/sdk/testing";

export const tool = (name: string, more: object = {}) => ({
  type: "function",
  function: {
    name,
    description: `My ${name}`,
    parameters: { type: "object", properties: { city: { type: "string" } } },
    ...more,
  },
});
export const calls = (...names: readonly string[]): ScriptTurn => ({
  toolCalls: names.map((name) => ({ name, arguments: { city: "Oslo" }, id: `call_${name}` })),
});
export const think = { name: "think", arguments: { thoughts: "hm" } };
