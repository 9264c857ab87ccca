import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const stone = (number) => `quarry/stone-${number}.txt`;

function helpers(client, { readStone }) {
  async function files(operation, filePath, more = {}) {
    const call = { name: "file_operations", arguments: { operation, filePath, ...more } };
    const { content, isError } = await client.callTool(call);
    const text = content.map((part) => part.text).join("\n");
    if (isError) throw new Error(text);
    return text;
  }
  const word = async (number) => /stone-\d-[0-9a-f]+/.exec(await files("read_file", stone(number)))[0];
  const lay = async (number) =>
    files("create_file", stone(number), { content: await readStone({ file: stone(number) }) });
  const layAndRead = async (number) => (await lay(number), word(number));
  return { files, word, layAndRead };
}

const features = {
  answer: async ({ layAndRead }) => [await layAndRead(1)],
  resume: async ({ word }) => [await word(1)],
  steps: async ({ layAndRead }) => [await layAndRead(1), await layAndRead(2), await layAndRead(3)],
  parallel: async ({ layAndRead }) => Promise.all([layAndRead(1), layAndRead(2)]),
  error: async ({ files }) => [await files("read_file", "quartz.txt")],
};

/** Waits for an answer that never comes. */
async function ask(client, { signal, wroteText }) {
  const asked = { operation: "request_input", prompt: "Granite?" };
  client.setRequestHandler(ElicitRequestSchema, () => {
    wroteText("the person is asked");
    return new Promise(() => undefined);
  });
  const call = client.callTool({ name: "user_collaboration", arguments: asked }, undefined, { signal });
  await call.catch(() => undefined);
  // The cancel has arrived when what was sent after it is answered.
  await client.ping();
}

/** The tools of the service, reached by a transport; the prompt names the feature. */
export async function useTools(context, transport) {
  // The service keeps files and results for each client by its name.
  const name = context.state ?? `mason-${randomUUID()}`;
  const client = new Client({ name, version: "1.0.0" }, { capabilities: { elicitation: {} } });
  await client.connect(transport);
  try {
    if (context.prompt === "cancel") return { text: await ask(client, context) };
    const { tools } = await client.listTools();
    if (!tools.some((tool) => tool.name === "file_operations")) throw new Error("There are no file tools.");
    const words = await features[context.prompt](helpers(client, context));
    return { text: `The stones say ${words.join(", ")}.`, state: name };
  } finally {
    await client.close();
  }
}

export const turn = (context) =>
  useTools(context, new StreamableHTTPClientTransport(new URL(`${context.url}/mcp`)));
