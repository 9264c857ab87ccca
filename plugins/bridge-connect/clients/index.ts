import type { Client } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueDev } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { homeAssistant } from "./home-assistant.ts";
import { jetbrains } from "./jetbrains.ts";
import { openWebui } from "./open-webui.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";
import { vsCode } from "./vs-code.ts";
import { zed } from "./zed.ts";

/** In the order in which they are listed. */
export const clients: readonly Client[] = [
  zed,
  jetbrains,
  vsCode,
  claudeCode,
  codex,
  copilot,
  opencode,
  pi,
  cline,
  continueDev,
  qwenCode,
  openWebui,
  homeAssistant,
  claudeDesktop,
];
