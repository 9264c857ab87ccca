import { defineOperation, type JsonObject } from "@pergola/sdk";
import { askWeather, credit } from "../ask-weather.ts";
import { card } from "../card.ts";
import { blockOf, rowsOf } from "../open-meteo.ts";
import { place } from "../parameters.ts";
import { clock, millimetres, percent, sky, temperature, time, wind } from "../words.ts";

const variables = [
  "weather_code,temperature_2m_min,temperature_2m_max,precipitation_sum,precipitation_probability_max",
  "wind_speed_10m_max,wind_gusts_10m_max,wind_direction_10m_dominant,sunrise,sunset",
].join(",");

const weekday = (date: string): string =>
  new Date(`${date}T12:00Z`).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });

function describeDay(day: JsonObject): string {
  const {
    weather_code,
    temperature_2m_min,
    temperature_2m_max,
    precipitation_sum,
    precipitation_probability_max,
    wind_speed_10m_max,
    wind_direction_10m_dominant,
    wind_gusts_10m_max,
    sunrise,
    sunset,
  } = day;
  const date = time(day["time"]);
  return [
    `${weekday(date)} ${date}: ${sky(weather_code)}`,
    `${temperature(temperature_2m_min)} to ${temperature(temperature_2m_max)}`,
    `rain or snow ${millimetres(precipitation_sum)}, probability ${percent(precipitation_probability_max)}`,
    `wind up to ${wind(wind_speed_10m_max, wind_direction_10m_dominant, wind_gusts_10m_max)}`,
    `sun ${clock(sunrise)} to ${clock(sunset)}`,
  ].join("; ");
}

export const forecast = defineOperation({
  name: "forecast",
  description: "The next days.",
  effect: "read",
  parameters: {
    ...place,
    days: {
      type: "integer",
      minimum: 1,
      maximum: 16,
      default: 7,
    },
  },
  display: (args) => card("Look up the forecast", args),
  examples: [
    { say: "weather forecast for Paris", arguments: { city: "Paris" } },
    { say: "will it rain in London in the next 3 days?", arguments: { city: "London", days: 3 } },
    { say: "what will the weather be like this week?", arguments: {} },
    { say: "10 day forecast for Vienna, Austria", arguments: { city: "Vienna, Austria", days: 10 } },
    { say: "forecast for Oslo for 5 days", arguments: { city: "Oslo", days: 5 } },
    { say: "will there be frost in Riga over the next 2 days?", arguments: { city: "Riga", days: 2 } },
    { say: "forecast for Oslo for the next 4 days", arguments: { city: "Oslo", days: 4 } },
  ],
  async run({ days, ...where }, context) {
    const { answer, headline } = await askWeather(context, where, { daily: variables, forecast_days: days });
    const rows = rowsOf(blockOf(answer, "daily"));
    return { data: [`Forecast for ${headline}`, ...rows.map(describeDay)].join("\n"), message: credit };
  },
});
