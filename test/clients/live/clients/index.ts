import type { Client } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { libraries } from "./libraries.ts";

export const clients: readonly Client[] = [claudeCode, ...libraries];
