import type { JsonObject, PluginStatus } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { tellsAccounts } from "./connection-account.ts";

interface Plugins {
  status(): readonly PluginStatus[];
}

function checksTokens({ provides }: PluginStatus): boolean {
  const hooks = provides["hooks"];
  return Array.isArray(hooks) && hooks.includes("authenticate");
}

/**
 * Refuses settings of the door that would let in nobody, or anybody: those that admit callers by token while
 * no plugin checks tokens, and those that ask for the caller's account where the system does not tell it.
 */
export function checkDoor(plugins: Plugins, values: JsonObject): void {
  if (values["auth.loopback"] === "same-user" && !tellsAccounts()) {
    const message =
      "auth.loopback: same-user does not work here: this system does not tell whose a connection is. Set " +
      "auth.loopback to none, and every account of this computer can use the service.";
    throw fault("invalid_value", message, { param: "auth.loopback" });
  }
  const key = tokenSetting(values);
  if (key === undefined) return;
  const status = plugins.status();
  if (status.some((plugin) => plugin.state === "running" && checksTokens(plugin))) return;
  const message =
    `${key} needs a plugin that checks tokens (hook authenticate). ` +
    (faultIn(status) ?? `Install one, or leave ${key} at its default.`);
  throw fault("invalid_value", message, { param: key });
}

/** Why the plugin that should check tokens does not, or why one that may be it does not. */
function faultIn(plugins: readonly PluginStatus[]): string | undefined {
  const leftOut = plugins.filter(({ state }) => state === "left out");
  const disabled = plugins.find((plugin) => plugin.state === "disabled" && checksTokens(plugin));
  const [found = leftOut.find(({ kind }) => kind === "unknown")] = leftOut.filter(checksTokens);
  if (found !== undefined) return `${found.id} was left out: ${found.fault}`;
  return disabled && `${disabled.id} is disabled: take its id out of disabled.`;
}

function tokenSetting(values: JsonObject): string | undefined {
  if (values["server.allow_remote"] === true) return "server.allow_remote";
  if (values["auth.loopback"] === "token") return "auth.loopback";
  return undefined;
}
