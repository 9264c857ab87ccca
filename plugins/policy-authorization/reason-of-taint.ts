import type { PendingCall } from "@pergola/sdk";
import { hostsOf } from "./hosts.ts";
import type { Taint } from "./taints.ts";
import { visibleText as visible } from "@pergola/sdk/host";

/**
 * Why a call that would send something away asks in a run that words of others may lead: they have come in,
 * and the run has read what is not theirs. Undefined where nothing would be sent, or where it would go to a
 * host that the person or an earlier call has named.
 */
export function reasonOfTaint(call: PendingCall, { text, read, hosts }: Taint): string | undefined {
  if (text === null || read === null) return undefined;
  const what = sent(call, hosts);
  if (what === undefined) return undefined;
  return (
    `${what}, after the run has taken in words of others (${visible(text)}) and has read ${visible(read)}: ` +
    "they may have led it to send that away"
  );
}

function sent(call: PendingCall, hosts: readonly string[]): string | undefined {
  const stranger = hostsOf(call).find((host) => !hosts.includes(host));
  if (stranger !== undefined) return `it calls ${visible(stranger)}, which nobody has named`;
  const isHarmless = call.effect === "none" || call.effect === "read";
  if (call.place === "external" && !isHarmless) return "it changes something outside this computer's files";
  return undefined;
}
