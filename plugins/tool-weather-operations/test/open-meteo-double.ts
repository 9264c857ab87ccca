import { readFileSync } from "node:fs";
import type { ToolContext } from "@pergola/sdk";

export type Answer = string | { readonly status: number; readonly body: string };

interface Double {
  readonly fetch: ToolContext["fetch"];
  /** What was asked for, in order. */
  readonly asked: readonly URL[];
}

const responseOf = (answer: Answer): Response =>
  typeof answer === "string"
    ? new Response(readFileSync(new URL(`answers/${answer}.json`, import.meta.url)), { status: 200 })
    : new Response(answer.body, { status: answer.status });

/**
 * A `fetch` that gives answers in the service's documented form, one after the other: the name of a file, or
 * a status and a body.
 */
export function openMeteoDouble(...answers: readonly Answer[]): Double {
  const asked: URL[] = [];
  const fetch: ToolContext["fetch"] = async (url) => {
    const answer = answers[asked.push(new URL(url)) - 1];
    if (answer === undefined) throw new Error(`Nobody expected ${url}.`);
    return responseOf(answer);
  };
  return { fetch, asked };
}
