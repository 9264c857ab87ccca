import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

// Stands for the program mlx_lm.server: the same flags, routes and chunks. What it was started with and what
// came of each request goes to `told`.

const code = `
const { appendFileSync } = require("node:fs");
const { createServer } = require("node:http");
const flag = (name) => process.argv[process.argv.indexOf(name) + 1];
if (process.argv.includes("--help")) { console.log("usage: mlx_lm.server [--model MODEL] HELP"); process.exit(0); }
const tell = (what) => appendFileSync(TOLD, JSON.stringify(what) + "\\n");
tell({ pid: process.pid, model: flag("--model"), host: flag("--host"), options: process.argv.slice(2), keys: Object.keys(process.env) });
if (flag("--model").endsWith("broken")) { console.error("ValueError: Model type nothing not supported."); process.exit(1); }
const chunk = (response, delta, finish_reason = null) => response.write("data: " + JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] }) + "\\n\\n");
createServer(async (request, response) => {
  if (request.url === "/health") return response.end('{"status": "ok"}');
  let text = "";
  for await (const piece of request) text += piece;
  const body = JSON.parse(text);
  tell({ body });
  response.on("close", () => tell({ left: !response.writableFinished }));
  const last = body.messages.at(-1).content;
  if (last === "refuse") { response.statusCode = 404; return response.end('{"error": "no"}'); }
  chunk(response, { role: "assistant", reasoning: "Hm." });
  for (const piece of ["Grü", "ße ", "🌿"]) chunk(response, { content: piece });
  if (last === "hang") return;
  if (last === "crash") process.exit(3);
  if (body.tools) chunk(response, { tool_calls: [{ type: "function", id: "c1", function: { name: body.tools[0].function.name, arguments: "{}" } }] });
  chunk(response, {}, body.tools ? "tool_calls" : "stop");
  response.write("data: " + JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 5 } } }) + "\\n\\n");
  response.end("data: [DONE]\\n\\n");
}).listen(Number(flag("--port")), flag("--host"));
`;

/**
 * Writes the program, whose help names these options too, into the folder; gives the file that it tells of
 * itself in.
 */
export function writeFakeServer(folder: string, help = ""): string {
  const [program, told] = [path.join(folder, "mlx_lm.server"), path.join(folder, "told.jsonl")];
  writeFileSync(told, "");
  writeFileSync(
    program,
    `#!${process.execPath}\n${code.replaceAll("TOLD", JSON.stringify(told)).replace("HELP", help)}`,
  );
  chmodSync(program, 0o755);
  return told;
}

/** Puts a set below a folder as the downloads do. */
export function installSet(folder: string, id: string): void {
  const at = path.join(folder, id);
  mkdirSync(at, { recursive: true });
  writeFileSync(
    path.join(at, "config.json"),
    JSON.stringify({ model_type: "qwen3", max_position_embeddings: 40_960, quantization: { bits: 4 } }),
  );
  for (const part of [1, 2])
    writeFileSync(path.join(at, `model-0000${part}-of-00002.safetensors`), "x".repeat(500));
}
