import { definePlugin, defineTool } from "@pergola/sdk";
import { current } from "./operations/current.ts";
import { forecast } from "./operations/forecast.ts";
import { hourly } from "./operations/hourly.ts";

export const weatherOperations = defineTool({
  name: "weather_operations",
  description: "Tell the weather of a place.",
  icon: "cloud",
  aliases: { current_weather: "current", weather_forecast: "forecast", hourly_weather: "hourly" },
  operations: [current, forecast, hourly],
});

export default definePlugin({ tools: [weatherOperations] });
