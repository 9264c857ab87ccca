import { defineOperation, type JsonObject } from "@pergola/sdk";
import { askWeather, credit } from "../ask-weather.ts";
import { card } from "../card.ts";
import { blockOf, rowsOf } from "../open-meteo.ts";
import { place } from "../parameters.ts";
import { millimetres, percent, sky, temperature, time, wind } from "../words.ts";

const variables = [
  "weather_code,temperature_2m,apparent_temperature,precipitation,precipitation_probability",
  "wind_speed_10m,wind_direction_10m,wind_gusts_10m",
].join(",");

function describeHour(hour: JsonObject): string {
  const {
    weather_code,
    temperature_2m,
    apparent_temperature,
    precipitation,
    precipitation_probability,
    wind_speed_10m,
    wind_direction_10m,
    wind_gusts_10m,
  } = hour;
  return [
    `${time(hour["time"])}: ${sky(weather_code)}`,
    `${temperature(temperature_2m)}, feels like ${temperature(apparent_temperature)}`,
    `rain or snow ${millimetres(precipitation)}, probability ${percent(precipitation_probability)}`,
    `wind ${wind(wind_speed_10m, wind_direction_10m, wind_gusts_10m)}`,
  ].join("; ");
}

export const hourly = defineOperation({
  name: "hourly",
  description: "The next hours.",
  effect: "read",
  parameters: {
    ...place,
    hours: {
      type: "integer",
      minimum: 1,
      maximum: 48,
      default: 24,
    },
  },
  display: (args) => card("Look up the next hours", args),
  examples: [
    { say: "hourly weather for Rome", arguments: { city: "Rome" } },
    {
      say: "hour by hour forecast for Madrid for the next 12 hours",
      arguments: { city: "Madrid", hours: 12 },
    },
    { say: "what will the temperature be over the next 6 hours?", arguments: { hours: 6 } },
    { say: "when does it start to rain in Hamburg today?", arguments: { city: "Hamburg" } },
    { say: "temperature in Rome over the next 8 hours", arguments: { city: "Rome", hours: 8 } },
  ],
  async run({ hours, ...where }, context) {
    const { answer, headline } = await askWeather(context, where, {
      hourly: variables,
      forecast_hours: hours,
    });
    const rows = rowsOf(blockOf(answer, "hourly"));
    return { data: [`Hour by hour in ${headline}`, ...rows.map(describeHour)].join("\n"), message: credit };
  },
});
