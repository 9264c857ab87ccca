import { createOpenAI } from "@ai-sdk/openai";
import { turnWith } from "./ai-sdk.mjs";

/** The provider's default model, which speaks Responses. */
export const turn = (context) =>
  turnWith(createOpenAI({ baseURL: `${context.url}/v1`, apiKey: "unused" })(context.model), context);
