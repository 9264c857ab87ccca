import type { ProbeContext } from "@pergola/sdk";
import { askService } from "./ask-service.ts";
import { addressOf, baseUrlOf } from "./service-settings.ts";

/** Seconds that a service may take to say that it is well. */
const patience = 3;

const remedy = "Start the service or correct tools.image.base_url, then restart the host.";

/** A service that wants its key for this, too, is there. */
const isWell = (status: number): boolean =>
  (status >= 200 && status < 300) || status === 401 || status === 403;

/** Why images cannot be made with the service of the settings, and what to do; undefined when they can. */
export async function whyUnavailable(context: ProbeContext) {
  const address = addressOf(context);
  if (address === "")
    return { reason: "No image service is set.", remedy: "Set tools.image.base_url to the address of one." };
  const base = baseUrlOf(address);
  if (base === undefined)
    return { reason: "tools.image.base_url is not an http or https address without user name.", remedy };
  try {
    const { status } = await askService(context, new URL("health", base), {
      maxBytes: 65_536,
      timeoutSeconds: patience,
    });
    if (isWell(status)) return undefined;
    return { reason: `The image service is not well (status ${status}).`, remedy };
  } catch (error) {
    return { reason: (error as Error).message, remedy };
  }
}
