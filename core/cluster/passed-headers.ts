import type { IncomingHttpHeaders } from "node:http";

/** By which a host knows a request that another one has let in. */
export const ticketHeader = "x-pergola-ticket";

/** Of one connection (RFC 9110, 7.6.1), and what the next one says for itself. */
const ofConnection = ["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"];

/** The host that lets a request in has judged these: the other one is told who calls. */
const judged = ["authorization", "x-api-key", "x-csrf-token", "cookie", "origin", "forwarded", "via"];
const judgedPattern = /^(?:proxy-|sec-|x-forwarded-|x-real-ip$|cf-connecting-ip$)/;

/** The host that the client talks to says these itself. */
const ownAnswer = ["date", "vary", "content-type", "x-request-id", "x-pergola"];
const ownAnswerPattern = /^(?:access-control-|ratelimit-)/;

const notSent = new Set([...ofConnection, ...judged, ticketHeader]);
const notPassedBack = new Set([...ofConnection, ...ownAnswer]);

function pick(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  isPassed: (name: string) => boolean,
): Readonly<Record<string, string>> {
  const passed = Object.entries(headers).filter(([name, value]) => value !== undefined && isPassed(name));
  return Object.fromEntries(passed.map(([name, value = ""]) => [name, [value].flat().join(", ")]));
}

/** The headers of a request as the next host gets them; a body of text is JSON of another length. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  body: string | AsyncIterable<Uint8Array> | null,
): Readonly<Record<string, string>> {
  const isBytes = body !== null && typeof body !== "string";
  const passed = pick(
    headers,
    (name) =>
      !notSent.has(name) && !judgedPattern.test(name) && (isBytes || !/^content-(?:length|type)$/.test(name)),
  );
  return typeof body === "string" ? { ...passed, "content-type": "application/json" } : passed;
}

/** The headers of an answer as its client gets them, but for the type of its content. */
export const answerHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> =>
  pick(headers, (name) => !notPassedBack.has(name) && !ownAnswerPattern.test(name));
