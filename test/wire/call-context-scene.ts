import { expect } from "chai";
import type { Stage } from "../support/host.ts";

export interface Context {
  readonly runId: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly usable: number;
  readonly estimatedTokens: number;
  readonly parts: readonly { readonly kind: string; readonly tokens: number; readonly text?: string }[];
  readonly messages: readonly {
    readonly messageId: string;
    readonly tokens: number;
    readonly state: string;
  }[];
  readonly archives: readonly {
    readonly id: string;
    readonly messages: number;
    readonly from: string;
    readonly to: string;
    readonly summary: string;
  }[];
  readonly memories: readonly { readonly id: string; readonly similarity: number | null }[];
  readonly error: { readonly code: string; readonly message: string };
}

export const contextAt = ({ host }: Stage, conversation: string, query = "") =>
  host.json<Context>("GET", `/v1/conversations/${encodeURIComponent(conversation)}/context${query}`);

export const contextOf = async (stage: Stage, conversation: string, query = ""): Promise<Context> => {
  const { status, body } = await contextAt(stage, conversation, query);
  expect(status, JSON.stringify(body.error)).to.equal(200);
  return body;
};

export const partOf = ({ parts }: Context, kind: string) => parts.find((part) => part.kind === kind);
export const tokensOf = (context: Context, kind: string): number =>
  partOf(context, kind)?.tokens ?? Number.NaN;

export const filler = (name: string, words: number): string => `${name} ${"word ".repeat(words)}`;
export const noTools = { service_config: { builtin_tools: "none" } };
