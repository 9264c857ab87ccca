import type { OfferedTool } from "@pergola/sdk";

/** Its schema has an enum, an optional number and a bounded text. */
export const paint: OfferedTool = {
  name: "paint",
  description: "Paints a wall.",
  parameters: {
    type: "object",
    properties: {
      color: { enum: ["red", "green"] },
      coats: { type: "integer" },
      note: { type: "string", maxLength: 5 },
    },
    required: ["color"],
  },
};
export const wait: OfferedTool = {
  name: "wait",
  description: "Waits.",
  parameters: { type: "object", properties: { long: { type: "boolean" } } },
};
