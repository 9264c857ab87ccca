import { expect } from "chai";
import type { FoundMessages } from "@pergola/sdk/host";
import type { Stage } from "./host.ts";

/** What tests of the search in messages do over HTTP. */
export function searchAt(stage: () => Pick<Stage, "host">) {
  const json = <T>(method: string, route: string, body?: unknown) =>
    stage().host.json<T>(method, route, body);
  /** The answer to a query; `more` is added to it. */
  const search = async (q: string, more = ""): Promise<FoundMessages> => {
    const { status, body } = await json<FoundMessages>(
      "GET",
      `/api/search?q=${encodeURIComponent(q)}${more}`,
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  return {
    json,
    search,
    /** The snippets that were found. */
    texts: async (q: string, more = ""): Promise<readonly string[]> =>
      (await search(q, more)).hits.map(({ snippet }) => snippet),
    /** Status, error code and field of what is refused. */
    codeOf: async (route: string): Promise<readonly unknown[]> => {
      const { status, body } = await json<{ error: { code: string; param?: string } }>("GET", route);
      return [status, body.error.code, ...(body.error.param === undefined ? [] : [body.error.param])];
    },
  };
}
