import { readFile } from "node:fs/promises";
import { converse } from "./replay.mjs";
import { ask, calls } from "./vs-code.mjs";

/** The model that the person has chosen, by the settings; Copilot Chat lists none without tools. */
async function modelOf({ model }) {
  const groups = JSON.parse(await readFile(process.env.VSCODE_MODELS, "utf8"));
  const group = groups.find(({ vendor }) => vendor === "customendpoint");
  const { id, url, toolCalling, ...limits } = group.models.find((one) => one.id === model);
  if (group.apiType !== "chat-completions" || !url.endsWith("/chat/completions"))
    throw new Error("It would ask in another format.");
  if (!toolCalling || !(limits.maxInputTokens > 0 && limits.maxOutputTokens > 0))
    throw new Error("It would not list the model.");
  return { id, url, key: group.apiKey };
}

/** Copilot Chat of VS Code with a custom endpoint, by `chatLanguageModels.json`: chat completions, with a key. */
export async function turn(context) {
  const { id, url, key } = await modelOf(context);
  const headers = { authorization: `Bearer ${key}` };
  const at = { ...context, model: id, url: "" };
  return converse(context, { ask: (messages) => ask(at, messages, url, headers), ...calls });
}
