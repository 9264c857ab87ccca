import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { turnWith } from "./ai-sdk.mjs";

export const turn = (context) =>
  turnWith(createOpenAICompatible({ name: "pergola", baseURL: `${context.url}/v1` })(context.model), context);
