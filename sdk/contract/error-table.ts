/** The `type` field of an error body. */
export type ErrorType =
  "invalid_request_error" | "authentication_error" | "rate_limit_error" | "server_error";

/** The HTTP status and type that go with an error code. */
export interface ErrorEntry {
  readonly status: number;
  readonly type: ErrorType;
  /** When it happens; the text of docs/errors.md. */
  readonly when: string;
}

const invalid = (status: number, when: string): ErrorEntry => ({
  status,
  type: "invalid_request_error",
  when,
});
const refused = (status: number, when: string): ErrorEntry => ({
  status,
  type: "authentication_error",
  when,
});
const limited = (when: string): ErrorEntry => ({ status: 429, type: "rate_limit_error", when });
const failed = (status: number, when: string): ErrorEntry => ({ status, type: "server_error", when });

/** Every code that an HTTP error may carry. */
export const errorTable: Readonly<Record<string, ErrorEntry>> = {
  invalid_json: invalid(400, "the body is not JSON"),
  missing_field: invalid(400, "a required field is missing"),
  invalid_value: invalid(400, "a field has the wrong type or a value that is not allowed"),
  out_of_range: invalid(400, "a number lies outside its range"),
  invalid_id: invalid(400, "an id has a form that is not accepted"),
  unknown_tool_call_id: invalid(400, "a tool message has the id of a call that does not exist"),
  missing_tool_result: invalid(400, "the request lacks results for pending calls of the client's own tools"),
  context_length_exceeded: invalid(400, "the messages do not fit into the model's context"),
  unknown_preference: invalid(400, "there is no preference with that key"),
  provider_rejected: invalid(400, "the provider rejected the request"),
  invalid_api_key: refused(401, "the token is missing, wrong or expired, or half of a sign-in"),
  forbidden_host: refused(403, "the Host header names another host"),
  forbidden_origin: refused(403, "the web page that sent the request is not in server.allowed_origins"),
  remote_not_allowed: refused(403, "only callers on the same computer may do this"),
  insufficient_scope: refused(403, "the token does not allow this; `details.scope` names what it lacks"),
  not_found: invalid(404, "nothing with that id exists"),
  route_not_found: invalid(404, "no route has that path, or its plugin or endpoint group is off"),
  model_not_found: invalid(404, "no provider offers that model"),
  method_not_allowed: invalid(405, "the path exists, but not for this method"),
  request_too_large: invalid(413, "the body is larger than server.max_body_bytes"),
  unsupported_media_type: invalid(415, "the body is not application/json, or does not say so"),
  wrong_host: invalid(409, "another host has what the conversation works with"),
  conversation_busy: invalid(409, "another run is active in the conversation"),
  approval_pending: invalid(409, "the conversation's run waits for an approval or an answer"),
  already_answered: invalid(409, "the approval or question was answered before"),
  digest_changed: invalid(409, "it is not any more what was shown; look at it again"),
  id_taken: invalid(409, "the id or the name is already in use"),
  run_ended: invalid(409, "the run has ended"),
  run_not_ended: invalid(409, "the run has not ended"),
  not_resumable: invalid(409, "only an interrupted run or download can be resumed"),
  download_finished: invalid(409, "the download has ended"),
  already_reverted: invalid(409, "the changes were already reverted"),
  built_in: invalid(409, "something built-in cannot be changed or removed"),
  in_use: invalid(409, "a run is using it"),
  set_elsewhere: invalid(
    409,
    "a flag, the environment or the settings file sets this preference; change it there",
  ),
  conflict: invalid(409, "the record changed in the meantime; read it again and retry"),
  rate_limited: limited("too many requests"),
  provider_rate_limited: limited("the provider's rate limit was reached"),
  internal_error: failed(500, "a bug in the service; the log has the details under the request id"),
  provider_error: failed(502, "the provider failed or could not be reached"),
  provider_auth_failed: failed(502, "the provider rejected the API key"),
  output_invalid: failed(
    502,
    "the answer does not have the form that `response_format` asks for as `strict`",
  ),
  no_provider: failed(503, "no provider is configured"),
  too_many_runs: failed(503, "as many runs are at work and wait as may; nothing of this one was begun"),
  host_unavailable: failed(503, "the host that has what this needs does not answer"),
  shutting_down: failed(503, "the service is stopping"),
  storage_unavailable: failed(503, "the storage does not answer"),
  provider_timeout: failed(504, "the provider did not answer in time"),
};

/** Every code that a failed tool call may carry, and what its hint says. */
export const toolErrorTable: Readonly<Record<string, string>> = {
  missing_required: "a required argument is missing; the hint names it and shows one right call",
  invalid_operation:
    "the operation does not exist or is missing; the hint lists the operations and shows one right call",
  invalid_json: "the arguments are not a JSON object",
  invalid_value: "an argument has a value that is not allowed",
  insufficient_params: "the arguments together are not enough",
  file_not_found: "the file does not exist; the hint names up to three similar paths",
  permission_denied: "you or a rule refused the call",
  system_permission_denied: "the operating system refused access",
  path_escape: "a relative path leads out of the working directory; use an absolute path",
  ambiguous_match: "the text occurs more than once",
  network_error: "the network or the remote server failed",
  timeout: "the time limit passed",
  tool_disabled: "the tool is turned off; the hint says how to turn it on",
  unavailable: "a program or a service is missing; the hint says which",
  approval_required: "the call waits for an approval",
  denied: "you denied the call",
  approval_expired: "nobody answered in time",
  cancelled: "the call was cancelled",
  repeated_call: "the same call was made three times in a row",
  tool_suspended: "the tool failed three times in a row",
  too_many_calls: "one answer contains more calls than the limit",
  outcome_unknown: "the service stopped during the call; check before repeating it",
  not_found: "nothing with that id or name exists",
  conflict: "it already exists, or it changed in the meantime",
  storage_unavailable: "the call ran, but its result could not be stored; the run ends",
  generic_error: "anything else",
};
