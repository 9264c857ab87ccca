// The names of OpenTelemetry's conventions for generative AI, as they were up to version 1.42.

/** Attributes of spans and metrics. */
export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  responseModel: "gen_ai.response.model",
  agent: "gen_ai.agent.name",
  conversation: "gen_ai.conversation.id",
  finishReasons: "gen_ai.response.finish_reasons",
  firstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  dimensions: "gen_ai.embeddings.dimension.count",
  tokenType: "gen_ai.token.type",
  tool: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCall: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  system: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  error: "error.type",
  /** Ours. */
  toolOperation: "pergola.tool.operation",
  run: "pergola.run.id",
  runKind: "pergola.run.kind",
  iterations: "pergola.run.iterations",
  completion: "pergola.run.completion_reason",
  cost: "pergola.run.cost_usd",
} as const;

export const metric = {
  duration: "gen_ai.client.operation.duration",
  firstChunk: "gen_ai.client.operation.time_to_first_chunk",
  tokens: "gen_ai.client.token.usage",
} as const;

const providers: Readonly<Record<string, string>> = { gemini: "gcp.gemini" };

/** The conventions' word for a kind of provider, where they have one that is not ours. */
export const providerName = (type: string): string => providers[type] ?? type;

/** A model's name at its provider: `openai/gpt-5` is `gpt-5`. */
export const modelName = (modelId: string): string => modelId.slice(modelId.indexOf("/") + 1);
