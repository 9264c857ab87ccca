import type { JsonSchema } from "@pergola/sdk";

/** Whether a value of this schema has a secret in it, however deep. */
export function holdsSecret({
  properties = {},
  additionalProperties,
  items,
  "x-secret": isSecret,
}: JsonSchema): boolean {
  const inner = [...Object.values(properties), additionalProperties, items];
  return isSecret === true || inner.some((schema) => typeof schema === "object" && holdsSecret(schema));
}
