import { createInterface } from "node:readline";
import type { Collection, Entity } from "@pergola/sdk";
import { sqlite } from "../../index.ts";
import { silentLog } from "./silent-log.ts";

interface Line extends Entity {
  readonly body: string;
}

const lineOf = (id: string, body: string): Line => ({ id, body });

/** A host reduced to its storage: does what the lines of its input say, and answers each with a line. */
const [dataDirectory = "", durability = "power"] = process.argv.slice(2);
const say = (...words: readonly string[]): void => void process.stdout.write(`${words.join(" ")}\n`);

const storage = await Promise.resolve(sqlite.open({ durability }, { dataDirectory, log: silentLog })).catch(
  (error: unknown) => {
    say("refused", String(error));
    process.exit(3);
  },
);
const lines: Collection<Line> = storage.collection("lines", { indexes: [] });

/** Writes until the end of the process; each id is told when, and only when, its write was acknowledged. */
async function writeForEver(lane: number): Promise<void> {
  for (let number = 0; ; number++) {
    const ids = ["a", "b"].map((half) => `${process.pid}-${lane}-${number}-${half}`);
    await storage.commit(ids.map((id) => ({ collection: "lines", put: lineOf(id, id.repeat(50)) })));
    say(...ids);
  }
}

const commands: Readonly<Record<string, (argument: string) => Promise<string> | undefined>> = {
  put: (id) => lines.put(lineOf(id, "x".repeat(100_000))).then(() => "done"),
  get: (id) => lines.get(id).then((line) => (line === undefined ? "nothing" : "found")),
  write: () => void [0, 1, 2, 3].forEach((lane) => void writeForEver(lane)),
};

say("opened");
for await (const line of createInterface({ input: process.stdin })) {
  const [name = "", argument = ""] = line.split(" ");
  const answer = commands[name]?.(argument);
  if (answer !== undefined)
    say(await answer.catch((error: { readonly code?: string }) => error.code ?? "failed"));
}
await storage.close();
