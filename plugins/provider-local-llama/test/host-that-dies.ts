import { providerDoor, providerSettings } from "@pergola/sdk/testing";
import { LocalLlama } from "../local-llama.ts";
import { tiny } from "./support.ts";

// Loads a model, tells the process that runs it, and waits to be killed.

const folder = process.argv[2] ?? "";
const ignore = (): void => undefined;
const info = (fields: object): void =>
  void process.stdout.write(`${(fields as { readonly pid: number }).pid}\n`);
const door = providerDoor({
  log: { debug: ignore, info, warn: ignore, error: ignore },
  preference: (key) => (key === "downloads.path" ? folder : undefined),
});
await new LocalLlama(providerSettings(), door).embed(tiny, ["Hello"], new AbortController().signal);
setInterval(ignore, 1000);
