import type { Route } from "@pergola/sdk";
import { personalitiesOf } from "../personalities-of.ts";
import { fields, fieldsOf, idParameter, success } from "../schemas.ts";

export const updatePersonality: Route = {
  method: "PATCH",
  path: "/api/personalities/{personalityId}",
  summary: "Change a personality, its traits as a whole; built-in ones can not be changed",
  params: idParameter,
  body: { type: "object", properties: fields },
  response: success,
  async handle({ params, body }, services) {
    await personalitiesOf(services).update(params["personalityId"] ?? "", fieldsOf(body));
    return { body: { success: true } };
  },
};
