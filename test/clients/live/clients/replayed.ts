import type { Client } from "../client.ts";
import { program } from "./program.ts";

/** Programs that npm does not have, or that need a screen: a program in their place makes their requests. */
export const replayed: readonly Client[] = [
  program({ name: "VS Code: Ollama", row: "vscode", packages: [], file: "vs-code" }),
  program({
    name: "JetBrains AI Assistant: Ollama",
    row: "jetbrains",
    packages: [],
    file: "jetbrains",
    // It has no tools with this provider.
    lacks: ["arguments", "steps", "parallel", "resume"],
  }),
  program({
    name: "Home Assistant: Ollama",
    row: "home-assistant",
    packages: [],
    file: "home-assistant",
    // The format has whole calls only.
    lacks: ["arguments"],
  }),
  program({
    name: "Open WebUI: Ollama",
    row: "open-webui",
    packages: [],
    file: "open-webui",
    lacks: ["arguments"],
  }),
];
