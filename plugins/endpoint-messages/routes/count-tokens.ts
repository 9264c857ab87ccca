import { estimateTokens, type Route } from "@pergola/sdk";
import { countBody, type ShownBody } from "../body-schema.ts";
import { readMessages } from "../read-messages.ts";
import { readTool } from "../read-tools.ts";
import { wireFailure } from "../wire-failure.ts";

/**
 * An estimate, at four characters for a token, of what the caller sends; what the service adds is not
 * counted.
 */
export const countTokens: Route = {
  method: "POST",
  path: "/v1/messages/count_tokens",
  summary: "Estimate the tokens of a conversation in the Messages format",
  body: countBody,
  failure: wireFailure,
  async handle({ body, signal }, { models }) {
    const given = body as ShownBody;
    const messages = readMessages(given);
    const tools = (given.tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
    await models.resolve(given.model, signal);
    return { body: { input_tokens: estimateTokens({ messages, tools }) } };
  },
};
