import { expect } from "chai";
import { convert } from "../operations/convert.ts";
import { dataOf, failure } from "./failure.ts";

/**
 * From published tables (NIST Special Publication 811, appendix B; the data and time units as the interface
 * fixes them).
 */
const conversions = [
  [100, "C", "F", "100 C = 212 F"],
  [0, "C", "K", "0 C = 273.15 K"],
  [98.6, "F", "C", "98.6 F = 37 C"],
  [-40, "°F", "degrees Celsius", "-40 F = -40 C"],
  [1, "in", "mm", "1 in = 25.4 mm"],
  [1, "mi", "km", "1 mi = 1.609344 km"],
  [1, "nmi", "m", "1 nmi = 1852 m"],
  [6, "feet", "yards", "6 ft = 2 yd"],
  [250, "cm", "m", "250 cm = 2.5 m"],
  [1, "lb", "g", "1 lb = 453.59237 g"],
  [16, "ounces", "pounds", "16 oz = 1 lb"],
  [2, "stone", "lb", "2 st = 28 lb"],
  [1, "t", "kg", "1 t = 1000 kg"],
  [500, "mg", "g", "500 mg = 0.5 g"],
  [1, "gal", "l", "1 gal = 3.785411784 l"],
  [1, "gal", "qt", "1 gal = 4 qt"],
  [1, "qt", "pt", "1 qt = 2 pt"],
  [1, "pt", "cups", "1 pt = 2 cup"],
  [1, "cup", "fl oz", "1 cup = 8 floz"],
  [1, "fluid ounce", "tbsp", "1 floz = 2 tbsp"],
  [1, "tbsp", "teaspoons", "1 tbsp = 3 tsp"],
  [1, "m³", "liters", "1 m3 = 1000 l"],
  [1, "acre", "square feet", "1 acre = 43560 ft2"],
  [1, "ha", "m^2", "1 ha = 10000 m2"],
  [1, "mi2", "acres", "1 mi2 = 640 acre"],
  [1, "ft2", "in2", "1 ft2 = 144 in2"],
  [1, "yd2", "ft2", "1 yd2 = 9 ft2"],
  [1, "km2", "ha", "1 km2 = 100 ha"],
  [1, "m2", "cm2", "1 m2 = 10000 cm2"],
  [36, "km/h", "m/s", "36 km/h = 10 m/s"],
  [60, "miles per hour", "ft/s", "60 mph = 88 ft/s"],
  [1, "knot", "km/h", "1 kn = 1.852 km/h"],
  [8, "bits", "bytes", "8 bit = 1 B"],
  [1, "PB", "TB", "1 PB = 1024 TB"],
  [1, "GB", "KB", "1 GB = 1048576 KB"],
  [1, "mb", "kilobytes", "1 MB = 1024 KB"],
  [1500, "ms", "s", "1500 ms = 1.5 s"],
  [2, "weeks", "d", "2 wk = 14 d"],
  [1, "yr", "d", "1 yr = 365.25 d"],
  [1, "month", "days", "1 mo = 30.44 d"],
  [90, "min", "h", "90 min = 1.5 h"],
] as const;

const symbols =
  "C F K mm cm m km in ft yd mi nmi mg g kg t oz lb st ml l m3 tsp tbsp floz cup pt qt gal cm2 m2 km2 ha in2 ft2 yd2 acre mi2 " +
  "m/s km/h mph kn ft/s bit B KB MB GB TB PB ms s min h d wk mo yr";

describe("math_operations.convert", () => {
  for (const [value, from, to, text] of conversions) {
    it(`converts ${value} ${from} to ${to}`, async () => {
      expect(await dataOf(convert, { value, from, to })).to.equal(text);
    });
  }

  it("knows every unit, and keeps a value that is converted into itself", async () => {
    for (const symbol of symbols.split(" "))
      expect(await dataOf(convert, { value: 3, from: symbol, to: symbol })).to.equal(
        `3 ${symbol} = 3 ${symbol}`,
      );
  });

  it("refuses units of unlike kinds, and names those that fit", async () => {
    const { code, hint } = await failure(convert, { value: 1, from: "kg", to: "m" });
    expect([code, hint]).to.deep.equal(["invalid_value", "kg converts to g, mg, kg, t, oz, lb, st."]);
  });

  for (const unit of ["Mb", "Gb", "Kb", "Mg", "Mm"])
    it(`T23: refuses ${unit}, which is not what its small letters mean`, async () => {
      for (const units of [
        { from: unit, to: "B" },
        { from: "B", to: unit },
      ]) {
        const { code, message, hint } = await failure(convert, { value: 1, ...units });
        expect([code, message]).to.deep.equal(["invalid_value", `"${unit}" can mean two units.`]);
        expect(hint).to.contain("MB for the megabyte");
      }
    });

  it("refuses an unknown unit, and lists those it knows", async () => {
    const { code, hint } = await failure(convert, { value: 1, from: "parsec", to: "m" });
    expect(code).to.equal("invalid_value");
    expect(hint.replace(/^Units: |\.$/g, "").split(" ")).to.have.members(symbols.split(" "));
  });

  it("takes no name of JavaScript for a unit", async () => {
    expect((await failure(convert, { value: 1, from: "constructor", to: "__proto__" })).code).to.equal(
      "invalid_value",
    );
  });

  it("refuses what is colder than absolute zero", async () => {
    expect((await failure(convert, { value: -300, from: "C", to: "F" })).code).to.equal("invalid_value");
  });
});
