import type { App } from "./app.ts";
import { chatgpt } from "./chatgpt.ts";

/** Every app whose exports can be read. */
export const apps: readonly App[] = [chatgpt];
