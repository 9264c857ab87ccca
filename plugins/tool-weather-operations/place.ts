import { ToolError, type ToolContext } from "@pergola/sdk";
import { geocode, type Place } from "./geocode.ts";

export interface PlaceArguments {
  readonly city?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

const pair = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

/** A place by its name, or by `latitude, longitude`. */
async function placeNamed(context: ToolContext, text: string): Promise<Place> {
  const [, latitude, longitude] = pair.exec(text) ?? [];
  if (latitude === undefined || longitude === undefined) return geocode(context, text);
  return {
    name: text.trim(),
    latitude: Number(latitude),
    longitude: Number(longitude),
  };
}

/**
 * The place of a call: coordinates, else the city, else the preference `user.location`. Throws ToolError
 * `insufficient_params`, `missing_required` when no place is known, and what `geocode` throws.
 */
export async function placeOf(
  { city = "", latitude, longitude }: PlaceArguments,
  context: ToolContext,
): Promise<Place> {
  if (latitude !== undefined && longitude !== undefined)
    return {
      name: city || `${latitude}, ${longitude}`,
      latitude,
      longitude,
    };
  if (latitude !== undefined || longitude !== undefined) {
    throw new ToolError("insufficient_params", "latitude and longitude belong together.", {
      hint: "Give both, or a city.",
    });
  }
  if (city.trim() !== "") return placeNamed(context, city);
  const home = await context.preference("user.location");
  if (typeof home === "string" && home.trim() !== "") return placeNamed(context, home);
  throw new ToolError("missing_required", "No place is given, and the preference user.location is not set.", {
    hint: 'Ask the person where, and give it as {"city": "Paris"}.',
  });
}
