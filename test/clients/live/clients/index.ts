import type { Client } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { editors } from "./editors.ts";
import { libraries } from "./libraries.ts";
import { mcpInspector } from "./mcp-inspector.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";
import { replayed } from "./replayed.ts";

export const clients: readonly Client[] = [
  claudeCode,
  codex,
  ...copilot,
  ...opencode,
  ...pi,
  cline,
  continueCli,
  qwenCode,
  ...editors,
  claudeDesktop,
  mcpInspector,
  ...replayed,
  ...libraries,
];
