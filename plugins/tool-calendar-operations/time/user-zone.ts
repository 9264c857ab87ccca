import { ToolError, type ToolContext } from "@pergola/sdk";
import { zoneNamed, type Zone } from "./zone.ts";

/** The person's time zone: the preference `user.time_zone`, or the computer's. Throws `invalid_value`. */
export async function userZone(context: ToolContext): Promise<Zone> {
  const wanted = await context.preference("user.time_zone");
  const isNamed = typeof wanted === "string" && wanted !== "" && wanted !== "system";
  const name = isNamed ? wanted : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = zoneNamed(name);
  if (zone !== undefined) return zone;
  throw new ToolError("invalid_value", `The preference user.time_zone holds no time zone: "${name}".`, {
    hint: "Ask the person to set it to an IANA name such as Europe/Berlin.",
  });
}
