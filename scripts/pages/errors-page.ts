import { errorTable } from "@pergola/sdk";
import { toolErrorTable } from "@pergola/sdk/host";

/** docs/errors.md, from the tables in the SDK. */
export function errorsPage(): string {
  const http = Object.entries(errorTable).map(
    ([code, { status, type, when }]) => `| \`${code}\` | ${status} | ${type} | ${when} |`,
  );
  const tools = Object.entries(toolErrorTable).map(([code, when]) => `| \`${code}\` | ${when} |`);
  return [
    "# Errors",
    "",
    'Every failed request returns `{"error": {"message", "type", "code"}}`. `param` names the faulty field.',
    "`details` has more information, if there is any. Requests with the header `anthropic-version` get the",
    "same code in the form of the Messages format, with its `type`.",
    "",
    "| Code | Status | Type | When |",
    "|---|---|---|---|",
    ...http,
    "",
    "A failed tool call does not fail the request. The model gets a result with `success: false`, " +
      "`error`, a hint in `message`, and `error_code`:",
    "",
    "| error_code | When |",
    "|---|---|",
    ...tools,
    "",
  ].join("\n");
}
