/** A response is a run: the id of one gives the other. */
export const responseIdOf = (runId: string): string => runId.replace("run_", "resp_");

/** undefined for what is no id of a response. */
export function runIdOf(responseId: string): string | undefined {
  if (!/^resp_[0-9a-f]{32}$/.test(responseId)) return undefined;
  return responseId.replace("resp_", "run_");
}

/** What ids of items begin with, by their kind. */
export type ItemPrefix = "msg" | "rs" | "fc" | "ctc";

/**
 * The id of an item in a response's output, by its place among those of its kind: the same for everybody who
 * reads the response.
 */
export function itemId(prefix: ItemPrefix, responseId: string, index: number): string {
  const place = String(index).padStart(4, "0");
  return responseId.replace("resp", prefix) + place;
}

/** The response in whose output an item stands; undefined for other ids. */
export function responseOfItem(id: string): string | undefined {
  const [, digits] = /^[a-z]+_([0-9a-f]{32})\d{4,}$/.exec(id) ?? [];
  return digits && `resp_${digits}`;
}

/** The id of an item that is a stored message: what the client sent. */
export const messageItemId = (prefix: string, messageId: string): string =>
  `${prefix}_${messageId.replaceAll("-", "")}`;
