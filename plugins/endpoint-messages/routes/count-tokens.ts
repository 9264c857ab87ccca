import { defineRoute, estimateTokens } from "@pergola/sdk";
import { countAnswers } from "../answer-schemas.ts";
import { countBody } from "../body-schema.ts";
import { withDocumentTexts } from "../document-texts.ts";
import { readMessages } from "../read-messages.ts";
import { readTool } from "../read-tools.ts";
import { wireFailure } from "../wire-failure.ts";

/** An estimate has no place for warnings; the message itself will name what is left out. */
const ignore = (): void => undefined;

/** Estimates the tokens of what the caller sends, at four characters each, without what the service adds. */
export const countTokens = defineRoute({
  method: "POST",
  path: "/v1/messages/count_tokens",
  scope: "read",
  summary: "Estimate the tokens of a conversation in the Messages format",
  body: countBody,
  failure: wireFailure,
  ...countAnswers,
  async handle({ body, signal }, { models }) {
    const whole = await withDocumentTexts(body.messages, signal);
    const messages = readMessages({ ...body, messages: whole }, ignore);
    const tools = (body.tools ?? [])
      .map((tool, index) => readTool(tool, `tools[${index}]`, ignore))
      .filter((tool) => tool !== undefined);
    await models.resolve(body.model, signal);
    return { body: { input_tokens: estimateTokens({ messages, tools }) } };
  },
});
