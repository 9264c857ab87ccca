import { defineOperation } from "@pergola/sdk";
import { askWeather, credit } from "../ask-weather.ts";
import { card } from "../card.ts";
import { blockOf } from "../open-meteo.ts";
import { place } from "../parameters.ts";
import { millimetres, percent, pressure, sky, temperature, time, wind } from "../words.ts";

const variables = [
  "weather_code,temperature_2m,apparent_temperature,relative_humidity_2m",
  "wind_speed_10m,wind_direction_10m,wind_gusts_10m,cloud_cover,precipitation,pressure_msl",
].join(",");

export const current = defineOperation({
  name: "current",
  description: "The weather now.",
  effect: "read",
  parameters: place,
  display: (args) => card("Look up the weather", args),
  examples: [
    { say: "what is the weather in Berlin?", arguments: { city: "Berlin" } },
    { say: "how warm is it in Tokyo right now?", arguments: { city: "Tokyo" } },
    { say: "current weather in Portland, Oregon", arguments: { city: "Portland, Oregon" } },
    { say: "is it raining outside?", arguments: {} },
    { say: "weather at 48.2, 16.37", arguments: { latitude: 48.2, longitude: 16.37 } },
    { say: "how humid is it in Lima?", arguments: { city: "Lima" } },
    { say: "is it cloudy in Bergen?", arguments: { city: "Bergen" } },
    { say: "temperature in Rome", arguments: { city: "Rome" } },
  ],
  async run(args, context) {
    const { answer, headline } = await askWeather(context, args, { current: variables });
    const now = blockOf(answer, "current");
    const lines = [
      `Weather in ${headline}, ${time(now["time"])}`,
      `Sky: ${sky(now["weather_code"])}`,
      `Temperature: ${temperature(now["temperature_2m"])}, ` +
        `feels like ${temperature(now["apparent_temperature"])}`,
      `Humidity: ${percent(now["relative_humidity_2m"])}`,
      `Wind: ${wind(now["wind_speed_10m"], now["wind_direction_10m"], now["wind_gusts_10m"])}`,
      `Cloud: ${percent(now["cloud_cover"])}`,
      `Rain or snow: ${millimetres(now["precipitation"])}`,
      `Pressure: ${pressure(now["pressure_msl"])}`,
    ];
    return { data: lines.join("\n"), message: credit };
  },
});
