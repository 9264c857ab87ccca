import { readFileSync } from "node:fs";
import { expect } from "chai";
import { ToolError, type Operation } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { weatherOperations } from "../index.ts";
import { openMeteoDouble, type Answer } from "./open-meteo-double.ts";

interface Manifest {
  readonly provides: { readonly tools: Readonly<Record<string, readonly string[]>> };
  readonly permissions: { readonly network: readonly string[] };
}

const manifest = JSON.parse(readFileSync(new URL("../plugin.json", import.meta.url), "utf8")) as Manifest;
const named = (name: string): Operation =>
  weatherOperations.operations.find((one) => one.name === name) as Operation;
const there = { latitude: 52.52, longitude: 13.42 };

async function answered(
  name: string,
  args: Readonly<Record<string, unknown>>,
  ...answers: readonly Answer[]
) {
  const { fetch, asked } = openMeteoDouble(...answers);
  const { data, message } = await runOperation(named(name), args, toolContext({ fetch }));
  return { data: data as string, message, asked };
}

async function failure(...answers: readonly Answer[]): Promise<ToolError> {
  const error: unknown = await answered("current", there, ...answers).catch((thrown: unknown) => thrown);
  if (ToolError.is(error)) return error;
  throw new Error(`No ToolError: ${JSON.stringify(error)}`);
}

describe("weather_operations", () => {
  it("T11: has an operation behind each bare name", () => {
    expect(weatherOperations.aliases).to.deep.equal({
      current_weather: "current",
      weather_forecast: "forecast",
      hourly_weather: "hourly",
    });
    for (const { parameters, effect } of weatherOperations.operations) {
      expect(parameters["city"]?.aliases).to.deep.equal(["location"]);
      expect(effect).to.equal("read");
    }
  });

  it("tells the weather now, in both kinds of degrees", async () => {
    const { data, message } = await answered("current", { city: "Berlin" }, "geocode-berlin", "current");
    expect(data).to.equal(
      [
        "Weather in Berlin, State of Berlin, Germany (52.52, 13.41), local time Europe/Berlin, 2026-01-02 04:00",
        "Sky: light rain",
        "Temperature: 7.8 °C (46.0 °F), feels like -3.1 °C (26.4 °F)",
        "Humidity: 81 %",
        "Wind: 14.4 km/h (8.9 mph) from SW, gusts 30.2 km/h (18.8 mph)",
        "Cloud: 100 %",
        "Rain or snow: 0.3 mm",
        "Pressure: 1012.4 hPa",
      ].join("\n"),
    );
    expect(message).to.equal("Weather data by Open-Meteo.com.");
  });

  it("tells the weather of each day", async () => {
    const { data } = await answered("forecast", { ...there, days: 3 }, "forecast");
    const [headline, first, , third] = data.split("\n");
    expect(headline).to.equal("Forecast for 52.52, 13.42 (52.52, 13.42), local time Europe/Berlin");
    expect(first).to.equal(
      "Friday 2026-01-02: light rain; 1.2 °C (34.2 °F) to 7.8 °C (46.0 °F); rain or snow 4.6 mm, probability 92 %; " +
        "wind up to 24.1 km/h (15.0 mph) from SW, gusts 51.8 km/h (32.2 mph); sun 08:17 to 16:04",
    );
    expect(third).to.contain(
      "light snow; -4.0 °C (24.8 °F) to 0.0 °C (32.0 °F); rain or snow 2.1 mm, probability not known",
    );
    expect(third).to.contain("from N,");
  });

  it("tells the weather of each hour", async () => {
    const { data } = await answered("hourly", { ...there, hours: 2 }, "hourly");
    expect(data.split("\n").slice(1)).to.deep.equal([
      "2026-01-02 04:00: light rain; 7.8 °C (46.0 °F), feels like 3.1 °C (37.6 °F); rain or snow 0.3 mm, probability 70 %; " +
        "wind 14.4 km/h (8.9 mph) from SW, gusts 30.2 km/h (18.8 mph)",
      "2026-01-02 05:00: light rain showers; 7.5 °C (45.5 °F), feels like 2.8 °C (37.0 °F); rain or snow 0.7 mm, probability 88 %; " +
        "wind 18.0 km/h (11.2 mph) from SW, gusts 38.9 km/h (24.2 mph)",
    ]);
  });

  for (const [name, key, standard, most] of [
    ["forecast", "forecast_days", "7", 16],
    ["hourly", "forecast_hours", "24", 48],
  ] as const) {
    it(`asks ${name} for ${standard} by default and for at most ${most}, in the place's own time`, async () => {
      const { asked } = await answered(name, there, name);
      expect(Object.fromEntries(asked[0]?.searchParams ?? [])).to.include({
        [key]: standard,
        timezone: "auto",
        latitude: "52.52",
      });
      expect(named(name).parameters[name === "forecast" ? "days" : "hours"]?.maximum).to.equal(most);
    });
  }

  for (const name of ["current", "forecast", "hourly"] as const) {
    it(`asks for just what it reads in ${name}, and only hosts that the manifest names`, async () => {
      const { asked } = await answered(name, { city: "Berlin" }, "geocode-berlin", name);
      const block = { forecast: "daily", current: "current", hourly: "hourly" }[name];
      const recorded = JSON.parse(
        readFileSync(new URL(`answers/${name}.json`, import.meta.url), "utf8"),
      ) as Record<string, object>;
      const units = recorded[`${block}_units`] ?? {};
      const wanted = Object.keys(units).filter((key) => key !== "time" && key !== "interval");
      expect(asked[1]?.searchParams.get(block)?.split(",")).to.have.members(wanted);
      expect(asked.map(({ host }) => host).toSorted()).to.deep.equal(manifest.permissions.network.toSorted());
      expect(asked.every(({ protocol }) => protocol === "https:")).to.equal(true);
    });
  }

  it("passes on why a request was refused", async () => {
    const { code, message } = await failure({
      status: 400,
      body: '{"error":true,"reason":"Latitude must be in range of -90 to 90°."}',
    });
    expect([code, message]).to.deep.equal([
      "invalid_value",
      "Open-Meteo refused the request: Latitude must be in range of -90 to 90°.",
    ]);
  });

  it("says whether a retry makes sense", async () => {
    const limited = await failure({
      status: 429,
      body: '{"error":true,"reason":"Minutely API request limit exceeded."}',
    });
    expect([limited.code, limited.hint]).to.deep.equal([
      "network_error",
      "The service's limit is reached; try again later.",
    ]);
    expect((await failure({ status: 502, body: "<html>Bad Gateway</html>" })).code).to.equal("network_error");
  });

  for (const body of ["", "not JSON", "[]", "{}", '{"current":null}', '{"current":"sunny"}']) {
    it(`fails as network_error on the answer ${JSON.stringify(body)}`, async () => {
      expect((await failure({ status: 200, body })).code).to.equal("network_error");
    });
  }

  it("says of what the service does not know that it is not known", async () => {
    const { data } = await answered("current", there, {
      status: 200,
      body: '{"current":{"time":"2026-01-02T04:00","weather_code":42}}',
    });
    expect(data).to.contain("Sky: weather code 42\nTemperature: not known, feels like not known\n");
  });

  for (const { name, examples = [], parameters, display } of weatherOperations.operations) {
    it(`gives examples of ${name} that can be run, and a card for each`, () => {
      expect(examples.length).to.be.at.least(4);
      for (const { say, arguments: args } of examples) {
        expect(Object.keys(args).filter((key) => parameters[key] === undefined)).to.deep.equal([]);
        for (const value of Object.values(args)) expect(say).to.contain(value);
        expect(display?.(args as never)).to.include.keys("actionDisplayName", "summary", "details", "icon");
      }
    });
  }
});
