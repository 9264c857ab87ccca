import type { Route } from "@pergola/sdk";
import { defaultIdOf, personalitiesOf } from "../personalities-of.ts";
import { idParameter, personalityProperties } from "../schemas.ts";
import { wirePersonality } from "../wire-personality.ts";

export const getPersonality: Route = {
  method: "GET",
  path: "/api/personalities/{personalityId}",
  summary: "Show a personality with its text",
  params: idParameter,
  response: { type: "object", properties: personalityProperties },
  async handle({ params }, services) {
    const personality = await personalitiesOf(services).get(params["personalityId"] ?? "");
    return { body: wirePersonality(personality, await defaultIdOf(services)) };
  },
};
