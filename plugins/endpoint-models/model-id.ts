import type { JsonSchema } from "@pergola/sdk";

/**
 * The rest of a path that names a model. What lies below `download` belongs to the downloads, whether that
 * group is there or not.
 */
export const modelId: JsonSchema = {
  type: "string",
  pattern: "^(?!download(?:/|$))",
  description: "The rest of the path: prefix/name, or the name alone",
};
