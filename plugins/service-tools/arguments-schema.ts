import type { JsonSchema, Operation } from "@pergola/sdk";

/** What the arguments of an operation are checked against. */
export const argumentsSchema = ({ parameters: properties, required }: Operation): JsonSchema => ({
  type: "object",
  properties,
  required,
});
