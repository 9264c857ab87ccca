import { ToolError, type Effect } from "@pergola/sdk";
import { shortened } from "./visible.ts";

/** The protocol's codes for an answer that is an error; the one for a link that was cut is no answer. */
const [cut, badArguments] = [-32000, -32602];

interface Failure extends Error {
  readonly code?: number;
}

/** Whether the server has answered, if only with an error: the link is good. */
export const isAnswer = ({ name, code }: Failure): boolean => name === "McpError" && code !== cut;

/** The server knows nothing of the session, and so did nothing: it was started anew. */
export const isLostSession = ({ name, code }: Failure): boolean => name !== "McpError" && code === 404;

/** A failed call as the model reads it. `ending` says why the link was cut. */
export function failureOf(error: Failure, effect: Effect, ending: string): ToolError {
  if (ToolError.is(error)) return error;
  const text = shortened(error.message.replace(/^MCP error -?\d+: /, ""), 1000);
  if (isAnswer(error) && error.code === badArguments)
    return new ToolError("invalid_value", text, { hint: "Correct the arguments.", cause: error });
  if (isAnswer(error))
    return new ToolError("generic_error", text, { hint: "The text is the MCP server's.", cause: error });
  let hint = "The call may have happened all the same: look before you repeat it.";
  if (effect === "none" || effect === "read") hint = "Call again; the server is started anew.";
  const message = `The connection to the MCP server was lost: ${ending || text}`;
  return new ToolError("network_error", message, { hint, cause: error });
}

/** The failure of what is not as the person approved it. */
export const unapproved = (server: string, what: string): ToolError =>
  new ToolError("permission_denied", `${what} has changed since the person approved it.`, {
    hint:
      `Call mcp_servers.review_server with server "${server}": the person is shown what has ` +
      "changed, and decides.",
  });
