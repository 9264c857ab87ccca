import type { Ask, OperationName, PlainWrite, Request } from "../../messages.ts";

let id = 0;

export const request = <N extends OperationName>(name: N, ask: Ask<N>): Request<N> => ({
  id: ++id,
  name,
  ask,
});

export const put = (
  id: string,
  more: { readonly ifVersion?: number; readonly body?: string } = {},
): PlainWrite => ({
  collection: "notes",
  put: id,
  text: JSON.stringify({ id, body: more.body ?? "" }),
  ...(more.ifVersion !== undefined && { ifVersion: more.ifVersion }),
});

export const commit = (...writes: readonly PlainWrite[]): Request<"commit"> => request("commit", { writes });
export const get = (id: string): Request<"get"> => request("get", { collection: "notes", id });
export const declareNotes = (): Request<"declare"> =>
  request("declare", { collection: "notes", indexes: [] });
