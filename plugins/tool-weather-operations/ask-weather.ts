import { stringOf, type ToolContext } from "@pergola/sdk";
import { askOpenMeteo } from "./open-meteo.ts";
import { placeOf, type PlaceArguments } from "./place.ts";

/** Open-Meteo's licence (CC BY 4.0) asks for it. */
export const credit = "Weather data by Open-Meteo.com.";

/** What Open-Meteo says about a place, in metric units and the place's own time, and a headline for it. */
export async function askWeather(
  context: ToolContext,
  where: PlaceArguments,
  parameters: Readonly<Record<string, string | number>>,
) {
  const { name, latitude, longitude } = await placeOf(where, context);
  const answer = await askOpenMeteo(context, "weather", {
    latitude,
    longitude,
    timezone: "auto",
    ...parameters,
  });
  const zone = stringOf(answer["timezone"]);
  const localTime = zone && `, local time ${zone}`;
  return { answer, headline: `${name} (${latitude.toFixed(2)}, ${longitude.toFixed(2)})${localTime}` };
}
