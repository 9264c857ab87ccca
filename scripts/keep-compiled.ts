// Starts the service, asks something, and keeps the compiled form of all code that this has run. The build
// runs it:
//   node keep-compiled.mjs <core/dist/main.cjs>
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { OneFile } from "../core/one-file/run-one-file.ts";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return String(port);
}

/** A server of models, as most are asked: it says a few words. */
const modelServer = createHttpServer((request, response) => {
  const choice = (delta: object, end: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
  if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: "words" }] }));
  response.setHeader("content-type", "text/event-stream");
  response.write(choice({ role: "assistant", content: "A few " }, null));
  return setTimeout(() => {
    response.end(`${choice({ content: "words." }, null)}${choice({}, "stop")}data: [DONE]\n\n`);
  }, 20);
});

const [, , main = ""] = process.argv;
const folder = mkdtempSync(path.join(tmpdir(), "pergola-build-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const settings = path.join(folder, "settings.json");
const base_url = `http://127.0.0.1:${await listen(modelServer)}/v1`;
const list = [{ type: "custom", id: "server", prefix: "server", base_url }];
writeFileSync(settings, JSON.stringify({ providers: { list } }));
const places = ["--settings", settings, "--data", folder, "--port", await freePort()];
process.argv = [process.execPath, main, "start", "--json", ...places];
// What the account and the folder that the build is run in say is no matter of the build.
process.env = { PATH: process.env["PATH"], HOME: folder };
process.chdir(folder);

/** Asks the service something, as the first conversations would. */
async function converse(url: string): Promise<void> {
  const [guide, server] = ["embedded/guide", "server/words"];
  for (const [model, stream] of [
    [guide, false],
    [guide, true],
    [server, true],
  ] as const) {
    const messages = [{ role: "user", content: "What is 12 * 12?" }];
    const body = JSON.stringify({ model, stream, messages });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/chat/completions`, { method: "POST", headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

setTimeout(fail, 60_000, "The service did not answer within a minute.");
const one = new OneFile(path.join(path.dirname(main), "all.cjs"));
const write = process.stdout.write.bind(process.stdout);
const url = new Promise<string>((resolve) => {
  process.stdout.write = (text: string, ...more: []) => {
    if (text.startsWith("{")) resolve((JSON.parse(text) as { readonly url: string }).url);
    return write(text, ...more);
  };
});
one.run();
try {
  await converse(await url);
  one.keepCompiled();
} catch (error) {
  fail(String(error));
}
process.exit();
