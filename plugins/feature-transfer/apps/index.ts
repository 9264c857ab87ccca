import type { App } from "./app.ts";
import { chatgpt } from "./chatgpt.ts";
import { claude } from "./claude.ts";
import { jan } from "./jan.ts";
import { lmStudio } from "./lm-studio.ts";
import { openWebui } from "./open-webui.ts";

/** Every app whose exports can be read. */
export const apps: readonly App[] = [chatgpt, claude, openWebui, lmStudio, jan];
