/** A response is a run: the id of one gives the other. */
export const responseIdOf = (runId: string): string => runId.replace("run_", "resp_");

/** undefined for what is no id of a response. */
export function runIdOf(responseId: string): string | undefined {
  if (!/^resp_[0-9a-f]{32}$/.test(responseId)) return undefined;
  return responseId.replace("resp_", "run_");
}

/** The id of a response's item, by its place: the same for everybody who reads the response. */
export function itemId(prefix: "msg" | "rs" | "fc", responseId: string, index: number): string {
  const place = String(index).padStart(4, "0");
  return responseId.replace("resp", prefix) + place;
}
