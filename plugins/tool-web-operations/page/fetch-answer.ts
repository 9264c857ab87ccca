import { ToolError, type FetchInit, type ToolContext } from "@pergola/sdk";

/** Says what it is without pretending to be a person's browser. */
const userAgent = "Mozilla/5.0 (compatible; Pergola)";

function refused(host: string, status: number): ToolError {
  if (status === 404 || status === 410)
    return new ToolError("not_found", `${host} has no such page (${status}).`, {
      hint: "Search for the page.",
    });
  const isPassing = status === 429 || status >= 500;
  return new ToolError("network_error", `${host} answered with status ${status}.`, {
    hint: isPassing ? "A retry may help later." : "A retry makes no sense; try another source.",
  });
}

/** Asks through the door. An answer of status 400 or above is a ToolError: `not_found` or `network_error`. */
export async function fetchAnswer(
  context: Pick<ToolContext, "fetch">,
  url: string,
  { headers, ...init }: FetchInit = {},
): Promise<Response> {
  const response = await context.fetch(url, { ...init, headers: { "user-agent": userAgent, ...headers } });
  if (response.status < 400) return response;
  throw refused(URL.canParse(response.url) ? new URL(response.url).host : "The host", response.status);
}
