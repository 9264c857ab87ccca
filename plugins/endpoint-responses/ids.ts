/** A response is a run: the id of one tells the other. */
export const responseIdOf = (runId: string): string => `resp_${runId.slice("run_".length)}`;

/** undefined for what is no id of a response. */
export const runIdOf = (responseId: string): string | undefined =>
  /^resp_[0-9a-f]{32}$/.test(responseId) ? `run_${responseId.slice("resp_".length)}` : undefined;

/** The id of a response's item, by its place: the same for everybody who reads the response. */
export const itemId = (prefix: "msg" | "rs" | "fc", responseId: string, index: number): string =>
  `${prefix}_${responseId.slice("resp_".length)}${String(index).padStart(4, "0")}`;
