import { ChatAnthropic } from "@langchain/anthropic";
import { turnWith } from "./langchain.mjs";

export const turn = (context) =>
  turnWith(
    new ChatAnthropic({
      model: context.model,
      apiKey: "unused",
      maxRetries: 0,
      maxTokens: 1000,
      anthropicApiUrl: context.url,
    }),
    context,
  );
