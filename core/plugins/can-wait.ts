import type { CompleteManifest, HostPlugin } from "@pergola/sdk/host";

/** The functions whose callers wait for their answers. */
const patient = ["run", "display", "touches", "reconcile", "effect", "unavailable", "handle", "open", "stop"];

/** Whether a value is data, but for such functions. */
function isData(value: unknown, name = ""): boolean {
  if (typeof value === "function") return patient.includes(name);
  if (typeof value !== "object" || value === null) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
  return isPlain && fields.every(([key, field]) => field.get === undefined && isData(field.value, key));
}

const waiting = ["tools", "endpoints", "providers", "collections", "register", "stop"];

/**
 * Whether nothing of a plugin's code is needed before something that it brings is called. `register` taps
 * hooks, and nothing else: that of a plugin which promises none can wait as well.
 */
export function canWait(
  plugin: HostPlugin,
  { hooks = [] }: Pick<CompleteManifest["provides"], "hooks">,
): boolean {
  const { tools, endpoints, providers, collections } = plugin;
  if ("register" in plugin && hooks.length > 0) return false;
  const isAllKnown = Object.keys(plugin).every((field) => waiting.includes(field));
  return isAllKnown && isData({ tools, endpoints, providers, collections });
}
