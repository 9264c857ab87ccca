import type { RunContext } from "@pergola/sdk";

/** Says what the request asks for that is not there. */
export function warnUnknown({ request, warn }: Pick<RunContext, "request" | "warn">): void {
  if (request.topic !== undefined) warn(`There are no topics; "${request.topic}" was ignored.`);
}
