// Runs a program of this folder for one turn: node run.mjs <program> <prompt> [streamed] [resumed]
// Without a prompt it only loads the program.
// What it writes are lines of JSON: text and arguments as they arrive, and the answer or the error at the end.
import { readFile, writeFile } from "node:fs/promises";

const [name, prompt, ...flags] = process.argv.slice(2);
const { turn } = await import(`./${name}.mjs`);
if (prompt === undefined) process.exit();
const write = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const { text, state } = await turn({
    url: process.env.PERGOLA_URL,
    model: process.env.PERGOLA_MODEL,
    prompt,
    streamed: flags.includes("streamed"),
    /** What the session's turn before has left. */
    state: flags.includes("resumed") ? JSON.parse(await readFile("session.json", "utf8")) : undefined,
    signal: stop.signal,
    wroteText: (piece) => write({ type: "text", piece }),
    wroteArguments: (piece) => write({ type: "arguments", piece }),
    /** The program's own tool: reads a file. */
    readStone: async ({ file }) => (await readFile(file, "utf8")).trim(),
  });
  await writeFile("session.json", JSON.stringify(state ?? null));
  write({ type: "answer", text });
} catch (error) {
  write({ type: "error", status: error.status ?? error.statusCode, text: String(error.message ?? error) });
  process.exitCode = stop.signal.aborted ? 0 : 1;
}
process.exit();
