import { defined, defineRoute, pageQuery, type FromSchema } from "@pergola/sdk";
import {
  builtInPersonalityIds,
  personalityCategories,
  personalityTraits,
  type Personality,
} from "@pergola/sdk/host";
import { textRoutes, type Available } from "./text-routes.ts";
import { description, knownFields, listedProperties, name, nonBlank } from "./text-schemas.ts";

const personalityParameter = { personalityId: { type: "string", description: "UUID" } } as const;

const trait = { type: ["string", "null"], maxLength: 200 } as const;

const traits = {
  type: "object",
  properties: { tone: trait, formality: trait, verbosity: trait, humor: trait, teachingStyle: trait },
} as const;

const fields = {
  name,
  instructions: { ...nonBlank, maxLength: 20_000 },
  description,
  category: { enum: personalityCategories, description: "Custom without it" },
  traits,
} as const;

const listed = { ...listedProperties, category: { enum: personalityCategories } } as const;

const personalitySchema = {
  title: "Personality",
  type: "object",
  required: ["id", "name", "instructions"],
  properties: { ...listed, instructions: { type: "string" }, traits },
} as const;

/** The id of the personality that is used where nobody chose one. */
async function defaultIdOf({ prompts, preferences }: Available): Promise<string> {
  const found = await prompts.personalities.find(preferences.get<string>("default_personality_id"));
  return found?.id ?? builtInPersonalityIds.default;
}

const wireListed = ({ id, name, description, category, builtIn }: Personality, defaultId: string) => ({
  id,
  name,
  description,
  category,
  isDefault: id === defaultId,
  builtIn,
});

/** The same with its text; a trait that is not set is null. */
const wirePersonality = async (personality: Personality, services: Available) => ({
  ...wireListed(personality, await defaultIdOf(services)),
  instructions: personality.instructions,
  traits: Object.fromEntries(personalityTraits.map((key) => [key, personality.traits[key] ?? null])),
});

/** The fields that a body sets; a trait that is null or empty is taken away. */
export function readFields<T extends { readonly traits?: FromSchema<typeof traits> }>(body: T) {
  const { traits: newTraits, ...others } = knownFields(body, fields);
  const set = newTraits && personalityTraits.map((key) => [key, newTraits[key] || undefined] as const);
  return { ...others, ...(set && { traits: defined(Object.fromEntries(set)) }) };
}

export const listPersonalities = defineRoute({
  method: "GET",
  path: "/api/personalities",
  scope: "read",
  summary: "List personalities, the built-in ones first",
  query: pageQuery,
  response: {
    type: "object",
    properties: {
      personalities: { type: "array", items: { type: "object", properties: listed } },
      count: { type: "integer", description: "Personalities before paging" },
    },
  },
  failures: [],
  async handle({ query }, services: Available) {
    const { items, count } = await services.prompts.personalities.list(query);
    const defaultId = await defaultIdOf(services);
    return { body: { personalities: items.map((one) => wireListed(one, defaultId)), count } };
  },
});

export const routes = textRoutes<Personality>({
  library: ({ personalities }) => personalities,
  all: { path: "/api/personalities" },
  one: { path: "/api/personalities/{personalityId}", params: personalityParameter },
  summaries: {
    create: "Make a personality",
    get: "Show a personality with its text",
    update: "Change a personality, its traits as a whole; built-in ones cannot be changed",
    delete: "Delete a personality; whoever has chosen it falls back to the default",
  },
  fields,
  required: ["name", "instructions"],
  read: readFields,
  response: personalitySchema,
  wire: wirePersonality,
});

export const personalityRoutes = [listPersonalities, ...Object.values(routes)];
