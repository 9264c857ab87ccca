import { ChatOpenAI } from "@langchain/openai";
import { turnWith } from "./langchain.mjs";

export const turn = (context) =>
  turnWith(
    new ChatOpenAI({
      model: context.model,
      apiKey: "unused",
      maxRetries: 0,
      useResponsesApi: true,
      configuration: { baseURL: `${context.url}/v1` },
    }),
    context,
  );
