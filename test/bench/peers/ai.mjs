// The loop library behind a bare node:http server: POST / with a model and a text runs its loop of tool
// calls to the end. It keeps nothing. Arguments: the model's port, the folder of the files, the port to listen at.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [model, folder, port] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: "mock", baseURL: `http://127.0.0.1:${model}/v1` });
const tools = {
  file_operations: tool({
    description: "Reads a file.",
    inputSchema: z.object({ operation: z.string(), filePath: z.string() }),
    execute: ({ filePath }) => readFile(path.join(folder, filePath), "utf8"),
  }),
};

createServer(async (request, response) => {
  if (request.method === "GET") return response.end("{}");
  let body = "";
  for await (const piece of request) body += piece;
  const asked = JSON.parse(body);
  const result = streamText({
    model: provider(asked.model),
    prompt: asked.text,
    tools,
    stopWhen: stepCountIs(1000),
  });
  for await (const text of result.textStream) response.write(text);
  response.end();
}).listen(Number(port), "127.0.0.1");
