import { ToolError, type Effect } from "@pergola/sdk";
import { shortened } from "./shortened.ts";

/** The code of an error that stands for an answer which cannot come: the link was cut. */
export const cut = -32000;
const badArguments = -32602;
/** The server has asked again and again, and never answered. */
const tooManyRounds = "INPUT_REQUIRED_ROUNDS_EXCEEDED";

interface Failure extends Error {
  readonly code?: number | string;
  /** Of an answer by HTTP. */
  readonly status?: number;
}

/** Whether the server has answered, if only with an error: the link is good. */
export const isAnswer = ({ name, code }: Failure): boolean =>
  (name === "ProtocolError" && code !== cut) || code === tooManyRounds;

/** The server knows nothing of the session, and so did nothing: it was started anew. */
export const isLostSession = ({ status }: Failure): boolean => status === 404;

/** A failed call as the model reads it. `ending` says why the link was cut. */
export function failureOf(error: Failure, effect: Effect, ending: string): ToolError {
  if (ToolError.is(error)) return error;
  const text = shortened(error.message, 1000);
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
