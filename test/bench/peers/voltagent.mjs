// The agent host: two agents on its own server, one that answers and one that reads files. It keeps its
// messages in memory. Arguments: the model's port, the folder of the files, the port to listen at.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, VoltAgent, createTool } from "@voltagent/core";
import { honoServer } from "@voltagent/server-hono";
import { z } from "zod";

const [model, folder, port] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: "mock", baseURL: `http://127.0.0.1:${model}/v1` });
const read = createTool({
  name: "file_operations",
  description: "Reads a file.",
  parameters: z.object({ operation: z.string(), filePath: z.string() }),
  execute: ({ filePath }) => readFile(path.join(folder, filePath), "utf8"),
});
const agentOf = (name) =>
  new Agent({
    name,
    instructions: "You are a bench.",
    model: provider(name),
    tools: [read],
    maxSteps: 1000,
  });
const names = ["echo", "tools-50"];
new VoltAgent({
  agents: Object.fromEntries(names.map((name) => [name, agentOf(name)])),
  server: honoServer({ port: Number(port) }),
  telemetry: undefined,
});
