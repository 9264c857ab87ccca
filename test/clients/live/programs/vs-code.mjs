import { converse, get, linesOf, send } from "./replay.mjs";
import { description, name, parameters } from "./stone.mjs";

const headers = { "user-agent": "GitHubCopilotChat" };
const tools = [{ type: "function", function: { name, description, parameters } }];

/** Below this version Copilot Chat refuses. */
const oldest = [0, 6, 4];

const isOlder = (version) => {
  const at = version.split(".").findIndex((part, index) => Number(part) !== oldest[index]);
  return at >= 0 && Number(version.split(".")[at]) < oldest[at];
};

async function discover(context) {
  const { version } = await get(context, "/api/version", headers);
  if (isOlder(version)) throw new Error(`Ollama ${version} is too old.`);
  const { models } = await get(context, "/api/tags", headers);
  if (!models.some(({ model }) => model === context.model)) throw new Error(`There is no ${context.model}.`);
  const shown = await (await send(context, "/api/show", { model: context.model }, headers)).json();
  const architecture = shown.model_info["general.architecture"];
  if (!shown.capabilities.includes("tools")) throw new Error("The model has no tools.");
  if (!(shown.model_info[`${architecture}.context_length`] > 0)) throw new Error("The model has no context.");
}

function add(calls, { index, id, function: piece }, { wroteArguments }) {
  calls[index] ??= { id, type: "function", function: { name: piece.name, arguments: "" } };
  if (piece.arguments) wroteArguments(piece.arguments);
  calls[index].function.arguments += piece.arguments ?? "";
}

/** `path` and `headers`: of the chat completions that it has been told of. */
export async function ask(context, messages, path = "/v1/chat/completions", own = {}) {
  const body = {
    model: context.model,
    messages,
    tools,
    temperature: 0.1,
    top_p: 1,
    n: 1,
    stream: true,
    stream_options: { include_usage: true },
  };
  const [calls, whole] = [[], { role: "assistant", content: "" }];
  const answer = await send(context, path, body, { ...headers, ...own });
  for await (const line of linesOf(answer)) {
    if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
    const { choices = [], error } = JSON.parse(line.slice(6));
    if (error !== undefined) throw new Error(error.message);
    const delta = choices[0]?.delta ?? {};
    if (delta.content) context.wroteText(delta.content);
    whole.content += delta.content ?? "";
    for (const piece of delta.tool_calls ?? []) add(calls, piece, context);
  }
  return calls.length > 0 ? { ...whole, tool_calls: calls } : whole;
}

/** How Copilot Chat speaks of calls. */
export const calls = {
  callOf: (call) => JSON.parse(call.function.arguments),
  toolMessage: ({ id }, content) => ({ role: "tool", tool_call_id: id, content }),
};

/** Copilot Chat of VS Code with Ollama as its provider: three requests for the models, then chat completions. */
export async function turn(context) {
  await discover(context);
  return converse(context, { ask: (messages) => ask(context, messages), ...calls });
}
