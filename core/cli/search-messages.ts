import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@pergola/sdk";
import { localTime } from "./local-time.ts";
import { printJson, printLines, printNote } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Hit {
  readonly conversationId: string;
  readonly title: string;
  readonly role: string;
  readonly timestamp: string;
  readonly snippet: string;
  /** Where the words stand in the snippet: [start, length] in UTF-16 code units. */
  readonly marks: readonly (readonly [number, number])[];
}

interface Found {
  readonly hits: readonly Hit[];
  readonly count: number;
  readonly complete: boolean;
}

interface SearchOptions extends CommonOptions {
  readonly conversation?: string;
  readonly limit?: number;
}

/** The snippet in one line, what was looked for set apart. */
function markedSnippet({ snippet, marks }: Hit): string {
  let [line, at] = ["", 0];
  const plain = (text: string): string => visible(text.replaceAll("\n", " "));
  for (const [start, length] of marks) {
    line += plain(snippet.slice(at, start)) + styled("bold", plain(snippet.slice(start, start + length)));
    at = start + length;
  }
  return line + plain(snippet.slice(at));
}

function linesOf(hit: Hit): readonly string[] {
  const { conversationId, title, role, timestamp } = hit;
  const facts = styled("dim", `${localTime(timestamp)}, ${role}`);
  return [`${conversationId} ${visible(title)} ${facts}`, `    ${markedSnippet(hit)}`];
}

/** Milliseconds in which a service that has just started may catch up with what it missed. */
const [patience, pause] = [5000, 200];

/** What is found once all is indexed, or by then. */
async function findAll(service: Service, address: string): Promise<Found> {
  const begun = performance.now();
  for (;;) {
    const found = await service.get<Found>(address);
    if (found.complete || performance.now() - begun > patience) return found;
    await sleep(pause);
  }
}

/** Prints the messages that hold all these words, the newest first. */
export async function searchMessages(
  service: Service,
  words: readonly string[],
  { conversation: conversationId, limit = 20, json }: SearchOptions,
): Promise<void> {
  const query = new URLSearchParams(defined({ q: words.join(" "), conversationId, limit: String(limit) }));
  const found = await findAll(service, `/api/search?${query.toString()}`);
  if (json) return printJson(found);
  const { hits, count, complete } = found;
  printLines(hits.flatMap(linesOf));
  if (count === 0) printNote("Nothing was found.");
  if (count > hits.length) printNote(`${count - hits.length} more; --limit ${count} shows them.`);
  if (!complete) printNote("Not all messages are indexed yet: search again in a while.");
}
