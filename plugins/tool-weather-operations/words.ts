import { stringOf, type Json } from "@pergola/sdk";

function write(value: Json | undefined, format: (value: number) => string, otherwise = "not known"): string {
  if (typeof value === "number") return format(value);
  return otherwise;
}

const points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"] as const;

/** `7.8 °C (46.0 °F)`, from degrees Celsius. */
export const temperature = (value: Json | undefined): string =>
  write(value, (celsius) => {
    const fahrenheit = (celsius * 9) / 5 + 32;
    return `${celsius.toFixed(1)} °C (${fahrenheit.toFixed(1)} °F)`;
  });

/** `10.0 km/h (6.2 mph)`, from kilometres an hour. */
const speed = (value: Json | undefined): string =>
  write(value, (kilometres) => `${kilometres.toFixed(1)} km/h (${(kilometres / 1.609344).toFixed(1)} mph)`);

/** `10.0 km/h (6.2 mph) from SW, gusts 20.0 km/h (12.4 mph)`. */
export const wind = (mean: Json | undefined, from: Json | undefined, gusts: Json | undefined): string =>
  `${speed(mean)}${direction(from)}, gusts ${speed(gusts)}`;

/** ` from SW`, from the degrees that the wind comes from; nothing when they are not known. */
const direction = (value: Json | undefined): string =>
  write(value, (degrees) => ` from ${points[Math.round(degrees / 45) % 8] ?? "N"}`, "");

export const millimetres = (value: Json | undefined): string =>
  write(value, (depth) => `${depth.toFixed(1)} mm`);
export const percent = (value: Json | undefined): string => write(value, (share) => `${share} %`);
export const pressure = (value: Json | undefined): string =>
  write(value, (hectopascal) => `${hectopascal.toFixed(1)} hPa`);

/** `2026-01-02 04:00`, from an ISO time of the place's own zone. */
export const time = (value: Json | undefined): string =>
  stringOf(value).replace("T", " ") || "time not known";

/** `04:00`. */
export const clock = (value: Json | undefined): string => time(value).slice(-5);

/**
 * Weather interpretation codes (WW) of the World Meteorological Organization, as far as Open-Meteo uses them.
 */
const skies: Readonly<Record<number, string>> = {
  0: "clear",
  1: "mainly clear",
  2: "partly cloudy",
  3: "overcast",
  45: "fog",
  48: "rime fog",
  51: "light drizzle",
  53: "drizzle",
  55: "dense drizzle",
  56: "light freezing drizzle",
  57: "dense freezing drizzle",
  61: "light rain",
  63: "rain",
  65: "heavy rain",
  66: "light freezing rain",
  67: "heavy freezing rain",
  71: "light snow",
  73: "snow",
  75: "heavy snow",
  77: "snow grains",
  80: "light rain showers",
  81: "rain showers",
  82: "violent rain showers",
  85: "light snow showers",
  86: "heavy snow showers",
  95: "thunderstorm",
  96: "thunderstorm with light hail",
  99: "thunderstorm with heavy hail",
};

export const sky = (code: Json | undefined): string =>
  write(code, (number) => skies[number] ?? `weather code ${number}`);
