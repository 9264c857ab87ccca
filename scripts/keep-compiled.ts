// Starts the service, asks something, and keeps the compiled form of all code that this has run. The build
// runs it:
//   node keep-compiled.mjs <core/dist/main.js>
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { OneFile } from "../core/one-file/run-one-file.ts";

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

const [, , main = ""] = process.argv;
const folder = mkdtempSync(path.join(tmpdir(), "pergola-build-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.argv = [process.execPath, main, "start", "--json", "--port", await freePort(), "--data", folder];
// What the account and the folder that the build is run in say is no matter of the build.
process.env = { PATH: process.env["PATH"], HOME: folder };
process.chdir(folder);

/** Asks the service something, as the first conversations would. */
async function converse(url: string): Promise<void> {
  for (const stream of [false, true]) {
    const messages = [{ role: "user", content: "What is 12 * 12?" }];
    const body = JSON.stringify({ model: "embedded/guide", stream, messages });
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
