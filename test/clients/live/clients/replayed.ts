import type { Client } from "../client.ts";
import { program } from "./program.ts";

/** Programs that npm does not have, or that need a screen: a program in their place makes their requests. */
export const replayed: readonly Client[] = [
  program({ name: "VS Code: Ollama", packages: [], file: "vs-code" }),
  program({
    name: "JetBrains AI Assistant: Ollama",
    packages: [],
    file: "jetbrains",
    // It has no tools with this provider.
    lacks: ["arguments", "steps", "parallel", "resume"],
  }),
  program({
    name: "Home Assistant: Ollama",
    packages: [],
    file: "home-assistant",
    // The format has whole calls only.
    lacks: ["arguments"],
  }),
  program({ name: "Open WebUI: Ollama", packages: [], file: "open-webui", lacks: ["arguments"] }),
];
