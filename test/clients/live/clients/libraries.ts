import type { Client } from "../client.ts";
import { program } from "./program.ts";

const agents = ["@openai/agents", "openai", "zod"];
const langchain = ["langchain", "@langchain/core"];

/** Each is one program; those with several have one for each way in which the library is used. */
export const libraries: readonly Client[] = [
  program({ name: "openai: chat", packages: ["openai"], file: "openai-chat" }),
  program({ name: "openai: Responses", packages: ["openai"], file: "openai-responses" }),
  program({ name: "openai: Responses, items", packages: ["openai"], file: "openai-items" }),
  program({ name: "Anthropic SDK: Messages", packages: ["@anthropic-ai/sdk"], file: "anthropic" }),
  program({ name: "Anthropic SDK: toolRunner", packages: ["@anthropic-ai/sdk"], file: "anthropic-runner" }),
  program({ name: "AI SDK: OpenAI", packages: ["ai", "@ai-sdk/openai"], file: "ai-sdk-openai" }),
  program({ name: "AI SDK: Anthropic", packages: ["ai", "@ai-sdk/anthropic"], file: "ai-sdk-anthropic" }),
  program({
    name: "AI SDK: compatible",
    packages: ["ai", "@ai-sdk/openai-compatible"],
    file: "ai-sdk-compatible",
  }),
  program({ name: "Agents SDK: history", packages: agents, file: "agents-history" }),
  program({ name: "Agents SDK: previous response", packages: agents, file: "agents-previous" }),
  program({ name: "Agents SDK: conversation", packages: agents, file: "agents-conversation" }),
  program({
    name: "Agents SDK: chat",
    packages: agents,
    file: "agents-chat",
    // With chat completions it tells of a call once it is whole.
    lacks: ["arguments"],
  }),
  program({
    name: "LangChain: chat",
    packages: [...langchain, "@langchain/openai"],
    file: "langchain-openai",
  }),
  program({
    name: "LangChain: Responses",
    packages: [...langchain, "@langchain/openai"],
    file: "langchain-responses",
  }),
  program({
    name: "LangChain: Anthropic",
    packages: [...langchain, "@langchain/anthropic"],
    file: "langchain-anthropic",
  }),
  program({ name: "Mastra", packages: ["@mastra/core", "zod"], file: "mastra" }),
  program({
    name: "LlamaIndex",
    packages: ["llamaindex", "@llamaindex/openai", "@llamaindex/workflow", "@llamaindex/core"],
    file: "llamaindex",
    // The library hands on whole calls.
    lacks: ["arguments"],
  }),
  program({
    name: "ollama",
    packages: ["ollama"],
    file: "ollama",
    // Its format has whole calls only.
    lacks: ["arguments"],
  }),
  program({
    name: "MCP SDK",
    packages: ["@modelcontextprotocol/sdk"],
    file: "mcp",
    isMcp: true,
    lacks: ["stream", "arguments"],
  }),
];
