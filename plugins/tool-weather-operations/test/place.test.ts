import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import { placeOf, type PlaceArguments } from "../place.ts";
import { openMeteoDouble } from "./open-meteo-double.ts";

const found = async (city: string, answer: string): Promise<string> =>
  (await placeOf({ city }, toolContext({ fetch: openMeteoDouble(answer).fetch }))).name;

async function failure(where: PlaceArguments, ...answers: readonly string[]): Promise<ToolError> {
  const error: unknown = await placeOf(
    where,
    toolContext({ fetch: openMeteoDouble(...answers).fetch }),
  ).catch((thrown: unknown) => thrown);
  if (ToolError.is(error)) return error;
  throw new Error(`No ToolError: ${JSON.stringify(error)}`);
}

describe("the place of a weather call", () => {
  it("is the largest of its name by far, and is named with its region and country", async () => {
    const { fetch, asked } = openMeteoDouble("geocode-berlin");
    const place = await placeOf({ city: "Berlin" }, toolContext({ fetch }));
    expect(place).to.deep.equal({
      name: "Berlin, State of Berlin, Germany",
      latitude: 52.52437,
      longitude: 13.41053,
    });
    expect(asked.map(String)).to.deep.equal([
      "https://geocoding-api.open-meteo.com/v1/search?name=Berlin&count=20&language=en&format=json",
    ]);
  });

  for (const [city, answer, name] of [
    ["berlin , new hampshire", "geocode-berlin", "Berlin, New Hampshire, United States"],
    ["Berlin, MD, USA", "geocode-berlin", "Berlin, Maryland, United States"],
    ["Berlin, DE", "geocode-berlin", "Berlin, State of Berlin, Germany"],
    ["Portland", "geocode-portland", "Portland, Oregon, United States"],
    ["Portland, ME", "geocode-portland", "Portland, Maine, United States"],
    ["Portland, Australia", "geocode-portland", "Portland, Victoria, Australia"],
    ["Springfield, IL", "geocode-springfield", "Springfield, Illinois, United States"],
    ["Wien", "geocode-vienna", "Vienna, Austria"],
  ] as const) {
    it(`${city} is ${name}`, async () => {
      expect(await found(city, answer)).to.equal(name);
    });
  }

  it("is asked for only by what stands before the comma", async () => {
    const { fetch, asked } = openMeteoDouble("geocode-portland");
    await placeOf({ city: "Portland, Oregon" }, toolContext({ fetch }));
    expect(asked[0]?.searchParams.get("name")).to.equal("Portland");
  });

  it("must be said more exactly when several are about as large", async () => {
    const { code, hint } = await failure({ city: "Springfield" }, "geocode-springfield");
    expect(code).to.equal("ambiguous_match");
    expect(hint).to.contain(
      "Springfield, Missouri, United States; Springfield, Massachusetts, United States; Springfield, Illinois",
    );
    expect(hint).to.not.contain("Ohio");
  });

  it("must exist", async () => {
    expect((await failure({ city: "Atlantis" }, "geocode-nothing")).code).to.equal("not_found");
    const { code, hint } = await failure({ city: "Berlin, France" }, "geocode-berlin");
    expect(code).to.equal("not_found");
    expect(hint).to.contain("Berlin, State of Berlin, Germany; Berlin, New Hampshire, United States");
  });

  it("may be a pair of coordinates, which nobody looks up", async () => {
    const { fetch, asked } = openMeteoDouble();
    const context = toolContext({ fetch });
    expect(await placeOf({ latitude: 48.2, longitude: 16.37 }, context)).to.include({
      latitude: 48.2,
      longitude: 16.37,
    });
    expect(await placeOf({ city: "home", latitude: -1, longitude: 0 }, context)).to.deep.equal({
      name: "home",
      latitude: -1,
      longitude: 0,
    });
    expect(await placeOf({ city: "-33.87, 151.21" }, context)).to.include({
      latitude: -33.87,
      longitude: 151.21,
    });
    expect(asked).to.deep.equal([]);
  });

  it("needs both coordinates", async () => {
    expect((await failure({ latitude: 48.2 })).code).to.equal("insufficient_params");
    expect((await failure({ city: "Berlin", longitude: 48.2 })).code).to.equal("insufficient_params");
  });

  it("is the person's own when none is given", async () => {
    const { fetch, asked } = openMeteoDouble("geocode-vienna");
    const context = toolContext({ fetch, preferences: { "user.location": "Vienna, Austria" } });
    expect((await placeOf({}, context)).name).to.equal("Vienna, Austria");
    expect(asked).to.have.length(1);
  });

  it("is missing when the person's own is not set either", async () => {
    for (const home of ["", " ", null]) {
      const error: unknown = await placeOf(
        { city: " " },
        toolContext({ preferences: { "user.location": home } }),
      ).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: "missing_required", name: "ToolError" });
    }
  });
});
