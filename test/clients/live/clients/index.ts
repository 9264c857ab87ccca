import type { Client } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { editors } from "./editors.ts";
import { libraries } from "./libraries.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { replayed } from "./replayed.ts";

export const clients: readonly Client[] = [
  claudeCode,
  codex,
  ...opencode,
  ...pi,
  cline,
  continueCli,
  ...editors,
  claudeDesktop,
  ...replayed,
  ...libraries,
];
