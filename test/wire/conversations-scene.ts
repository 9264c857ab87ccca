import { type WireMessage } from "../support/lab-stage.ts";

export interface Detail {
  readonly id: string;
  readonly alias: string | null;
  readonly title: string;
  readonly created: string;
  readonly updated: string;
  readonly messageCount: number;
  readonly messages: readonly WireMessage[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly workingDirectory: string;
  readonly activeRunId: string | null;
  readonly [field: string]: unknown;
}
