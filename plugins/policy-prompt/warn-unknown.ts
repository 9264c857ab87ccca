import type { RunContext } from "@pergola/sdk";

/** Says what the request asks for that is not there. */
export function warnUnknown({
  request,
  conversation,
  warn,
}: Pick<RunContext, "request" | "conversation" | "warn">): void {
  if (request.topic !== undefined && conversation.topicId === null)
    warn(`There are no topics; "${request.topic}" was ignored.`);
}
