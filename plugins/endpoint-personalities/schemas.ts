import type { JsonSchema, Properties } from "@pergola/sdk";
import {
  personalityCategories,
  personalityTraits,
  type Personality,
  type PromptFields,
} from "@pergola/sdk/host";

/** Text that says something. */
const said = (maxLength: number): JsonSchema => ({ type: "string", minLength: 1, maxLength, pattern: "\\S" });

const traits: JsonSchema = {
  type: "object",
  properties: Object.fromEntries(
    personalityTraits.map((trait) => [trait, { type: ["string", "null"], maxLength: 200 }]),
  ),
};

/** What can be said of a personality. */
export const fields: Properties = {
  name: said(200),
  instructions: said(20_000),
  description: { type: "string", maxLength: 2000 },
  category: { enum: personalityCategories, description: "Custom without it" },
  traits,
};

export const listedProperties: Properties = {
  id: { type: "string" },
  name: { type: "string" },
  description: { type: "string" },
  category: { enum: personalityCategories },
  isDefault: { type: "boolean", description: "Used where neither request nor conversation names one" },
  builtIn: { type: "boolean", description: "It can not be changed" },
};

export const personalityProperties: Properties = {
  ...listedProperties,
  instructions: { type: "string" },
  traits,
};

export const idParameter: Properties = { personalityId: { type: "string", description: "UUID" } };

export const success: JsonSchema = { type: "object", properties: { success: { const: true } } };

/** What a checked body says of a personality; traits only where something is said of them. */
export function fieldsOf(body: unknown): PromptFields<Personality> {
  const known = Object.fromEntries(
    Object.entries(body as object).filter(([key]) => key in fields),
  ) as PromptFields<Personality>;
  const given = Object.entries(known.traits ?? {}).filter(
    ([trait, value]) => personalityTraits.includes(trait as never) && value,
  );
  return known.traits === undefined ? known : { ...known, traits: Object.fromEntries(given) };
}
