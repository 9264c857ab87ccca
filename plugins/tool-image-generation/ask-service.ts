import { ToolError, type FetchInit, type ToolContext } from "@pergola/sdk";

export interface ServiceAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

const hint = "Tell the person to check that it runs; then a retry makes sense.";

/**
 * One request to the image service. The person has set its address, so the door lets it be on this machine
 * or, without TLS, in a private network. The answer is complete. Throws ToolError `network_error`,
 * `permission_denied`, `timeout` or `cancelled`.
 */
export async function askService(
  { fetch }: Pick<ToolContext, "fetch">,
  url: URL,
  request: FetchInit,
): Promise<ServiceAnswer> {
  const response = await fetch(url.href, request).catch((cause: unknown) => {
    if (!ToolError.is(cause) || cause.code !== "network_error") throw cause;
    throw new ToolError(cause.code, `The image service cannot be asked: ${cause.message}`, { hint, cause });
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}
