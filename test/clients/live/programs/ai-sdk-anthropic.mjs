import { createAnthropic } from "@ai-sdk/anthropic";
import { turnWith } from "./ai-sdk.mjs";

export const turn = (context) =>
  turnWith(createAnthropic({ baseURL: `${context.url}/v1`, apiKey: "unused" })(context.model), context);
