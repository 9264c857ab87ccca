import type { Client } from "../client.ts";
import { program } from "./program.ts";

export const libraries: readonly Client[] = [
  program({ name: "openai: chat", packages: ["openai"], file: "openai-chat" }),
];
