// Starts the service, asks something, and keeps the compiled form of all code that this has run. The build runs
// it:
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

const one = new OneFile(path.join(path.dirname(main), "all.cjs"));
const write = process.stdout.write.bind(process.stdout);
const url = new Promise<string>((resolve) => {
  process.stdout.write = ((text: string, ...more: []) => {
    if (text.startsWith("{")) resolve((JSON.parse(text) as { readonly url: string }).url);
    return write(text, ...more);
  }) as typeof process.stdout.write;
});
one.run();
const route = `${await url}/api/chat/completions`;
for (const stream of [false, true]) {
  const messages = [{ role: "user", content: "What is 12 * 12?" }];
  const body = JSON.stringify({ model: "embedded/guide", stream, messages });
  const answer = await fetch(route, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.text();
}
one.keepCompiled();
process.exit();
