import { type Outcome } from "../support/lab-stage.ts";

export interface Spawned {
  readonly agent_id: string;
  readonly run_id: string;
  readonly conversation_id: string;
  readonly status: string;
  readonly summary?: string;
  readonly iterations?: number;
  readonly duration?: number;
  readonly tools_used?: readonly string[];
}

export const dataOf = <T = Spawned>(
  { data = "" }: Outcome | undefined = { success: false, message: "" },
): T => JSON.parse(data) as T;
