import { askService } from "./ask-service.ts";
import { baseUrlOf } from "./service-settings.ts";

/** Milliseconds that a service may take to say that it is well. */
const patience = 3000;

const remedy = "Start the service or correct tools.image.base_url, then restart the host.";

/** A service that wants its key for this, too, is there. */
const isWell = (status: number): boolean => (status >= 200 && status < 300) || status === 401 || status === 403;

/** Why images cannot be made with the service at an address, and what to do; undefined when they can. */
export async function whyUnavailable(address: string, given: AbortSignal) {
  if (address === "") return { reason: "No image service is set.", remedy: "Set tools.image.base_url to the address of one." };
  const base = baseUrlOf(address);
  if (base === undefined) return { reason: "tools.image.base_url is not an http or https address without user name.", remedy };
  const signal = AbortSignal.any([given, AbortSignal.timeout(patience)]);
  try {
    const { status } = await askService(new URL("health", base), { headers: {}, maxBytes: 65_536, signal });
    return isWell(status) ? undefined : { reason: `The image service is not well (status ${status}).`, remedy };
  } catch (error) {
    return { reason: (error as Error).message, remedy };
  }
}
