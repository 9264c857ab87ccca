import type { Route } from "@pergola/sdk";
import type { Personality, PromptDraft } from "@pergola/sdk/host";
import { defaultIdOf, personalitiesOf } from "../personalities-of.ts";
import { fields, fieldsOf, personalityProperties } from "../schemas.ts";
import { wirePersonality } from "../wire-personality.ts";

export const createPersonality: Route = {
  method: "POST",
  path: "/api/personalities",
  summary: "Make a personality",
  body: { type: "object", properties: fields, required: ["name", "instructions"] },
  response: { type: "object", properties: personalityProperties },
  async handle({ body }, services) {
    const made = await personalitiesOf(services).create(fieldsOf(body) as PromptDraft<Personality>);
    return { status: 201, body: wirePersonality(made, await defaultIdOf(services)) };
  },
};
