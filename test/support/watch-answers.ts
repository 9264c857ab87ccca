import { ServerResponse } from "node:http";
import { AnswerCheck } from "./answer-check.ts";

/** Bytes: larger bodies are a test's own make. */
const largest = 4 * 1024 * 1024;

interface Seen {
  readonly test: string;
  readonly answer: { readonly method: string; readonly path: string; readonly status: number };
  readonly contentType: string;
  readonly text: string;
}

const seen: Seen[] = [];
const pieces = new WeakMap<ServerResponse, Buffer[]>();
let test = "";

/** From now on, answers belong to this test. */
export const nameTest = (title: string): void => void (test = title);

function gather(response: ServerResponse, given: unknown): void {
  if (typeof given !== "string" && !(given instanceof Uint8Array)) return;
  const list = pieces.get(response) ?? [];
  list.push(Buffer.from(given as string));
  pieces.set(response, list);
}

/** An answer that was sent whole, to a request that a route may have taken. */
function take(response: ServerResponse): void {
  const { method = "", url = "" } = response.req;
  const bytes = Buffer.concat(pieces.get(response) ?? []);
  if (/^(HEAD|OPTIONS)$/.test(method) || bytes.length > largest) return;
  seen.push({
    test,
    answer: { method, path: url.replace(/\?[^]*/, ""), status: response.statusCode },
    contentType: String(response.getHeader("content-type") ?? ""),
    text: bytes.toString("utf8"),
  });
}

function watch(name: "write" | "end"): void {
  const { [name]: work } = ServerResponse.prototype as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const watched = function (this: ServerResponse, ...given: unknown[]): unknown {
    // Only the service sends it: not the scripted providers.
    if (!this.hasHeader("x-request-id")) return work?.apply(this, given);
    gather(this, given[0]);
    if (name === "end") this.once("finish", () => take(this));
    return work?.apply(this, given);
  };
  Object.assign(ServerResponse.prototype, { [name]: watched });
}

/** From now on, the answers of every host in this process are compared with the OpenAPI document. */
export function watchAnswers(): void {
  watch("write");
  watch("end");
}

/** How many answers were compared, and where one is not what the document says. */
export async function checkAnswers(): Promise<{
  readonly count: number;
  readonly faults: readonly string[];
}> {
  if (seen.length === 0) return { count: 0, faults: [] };
  const check = await AnswerCheck.open();
  const faults = new Map<string, string>();
  let count = 0;
  for (const { answer, contentType, text, test: title } of seen) {
    const found = check.faultsOf({ ...answer, contentType }, text);
    if (found === undefined) continue;
    count += 1;
    if (found.faults.length === 0) continue;
    const list = [...new Set(found.faults)].slice(0, 8).join("\n    ");
    const fault = `${found.operation} ${answer.status}:\n    ${list}`;
    if (!faults.has(fault)) faults.set(fault, `in "${title}": ${text.slice(0, 500)}`);
  }
  return { count, faults: [...faults].map((lines) => lines.join("\n    ")) };
}
