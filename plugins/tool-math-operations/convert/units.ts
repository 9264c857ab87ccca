export interface Unit {
  readonly dimension: string;
  readonly symbol: string;
  /** How many of the dimension's first unit it is; for temperatures the size of a degree in kelvin. */
  readonly factor: number;
  readonly offset: number;
  readonly names: readonly string[];
}

type Row = readonly [symbol: string, factor: number, ...names: string[]];

const kibi = 1024;
const day = 86_400;
const pound = 453.59237;
const gallon = 3785.411784;
const foot = 0.3048;
const mile = 1609.344;

/**
 * Factors are exact by definition: the international yard and pound (1959), the US gallon of 231 cubic
 * inches, the nautical mile of 1852 m. Months have 30.44 days, years 365.25; multiples of the byte go by
 * 1024. Names are in the singular; `plural` makes the other form.
 */
const tables: Readonly<Record<string, readonly Row[]>> = {
  length: [
    ["m", 1, "meter", "metre"],
    ["mm", 0.001, "millimeter", "millimetre"],
    ["cm", 0.01, "centimeter", "centimetre"],
    ["km", 1000, "kilometer", "kilometre"],
    ["in", 0.0254, "inch", '"'],
    ["ft", foot, "foot", "'"],
    ["yd", 0.9144, "yard"],
    ["mi", mile, "mile"],
    ["nmi", 1852, "nautical mile"],
  ],
  mass: [
    ["g", 1, "gram", "gramme"],
    ["mg", 0.001, "milligram"],
    ["kg", 1000, "kilogram", "kilo"],
    ["t", 1_000_000, "tonne", "metric ton"],
    ["oz", pound / 16, "ounce"],
    ["lb", pound, "pound"],
    ["st", 14 * pound, "stone"],
  ],
  volume: [
    ["ml", 1, "milliliter", "millilitre"],
    ["l", 1000, "liter", "litre"],
    ["m3", 1_000_000, "cubic meter", "cubic metre"],
    ["tsp", gallon / 768, "teaspoon"],
    ["tbsp", gallon / 256, "tablespoon"],
    ["floz", gallon / 128, "fluid ounce", "fl oz"],
    ["cup", gallon / 16],
    ["pt", gallon / 8, "pint"],
    ["qt", gallon / 4, "quart"],
    ["gal", gallon, "gallon"],
  ],
  area: [
    ["m2", 1, "square meter", "square metre", "sq m"],
    ["cm2", 0.0001, "square centimeter", "square centimetre", "sq cm"],
    ["km2", 1_000_000, "square kilometer", "square kilometre", "sq km"],
    ["ha", 10_000, "hectare"],
    ["in2", 0.0254 ** 2, "square inch", "sq in"],
    ["ft2", foot ** 2, "square foot", "sq ft"],
    ["yd2", 0.9144 ** 2, "square yard", "sq yd"],
    ["acre", 43_560 * foot ** 2],
    ["mi2", mile ** 2, "square mile", "sq mi"],
  ],
  speed: [
    ["m/s", 1, "meter per second", "metre per second", "mps"],
    ["km/h", 1000 / 3600, "kilometer per hour", "kilometre per hour", "kph", "kmh"],
    ["mph", mile / 3600, "mile per hour", "mi/h"],
    ["kn", 1852 / 3600, "knot", "kt"],
    ["ft/s", foot, "foot per second", "fps"],
  ],
  data: [
    ["B", 1, "byte"],
    ["bit", 1 / 8],
    ["KB", kibi, "kilobyte"],
    ["MB", kibi ** 2, "megabyte"],
    ["GB", kibi ** 3, "gigabyte"],
    ["TB", kibi ** 4, "terabyte"],
    ["PB", kibi ** 5, "petabyte"],
  ],
  time: [
    ["s", 1, "second", "sec"],
    ["ms", 0.001, "millisecond"],
    ["min", 60, "minute"],
    ["h", 3600, "hour", "hr"],
    ["d", day, "day"],
    ["wk", 7 * day, "week"],
    ["mo", 30.44 * day, "month"],
    ["yr", 365.25 * day, "year"],
  ],
  temperature: [
    ["K", 1, "kelvin"],
    ["C", 1, "celsius", "centigrade", "degc"],
    ["F", 5 / 9, "fahrenheit", "degf"],
  ],
};

/** What is added before the factor counts, by the symbol: temperatures only. */
const offsets: Readonly<Record<string, number>> = { C: 273.15, F: 459.67 };

/** `mile per hour` becomes `miles per hour`. */
function plural(name: string): string {
  const [head = "", ...rest] = name.split(" per ");
  const heads = `${head}s`.replace(/foots$/, "feet").replace(/inchs$/, "inches");
  return [heads, ...rest].join(" per ");
}

/** Small letters, plain digits, one space, no degree sign. */
const fold = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/²/g, "2")
    .replace(/³/g, "3")
    .replace(/\^|°|\.$/g, "")
    .replace(/^(degrees?|deg) /, "")
    .replace(/\s+/g, " ");

const units: readonly Unit[] = Object.entries(tables).flatMap(([dimension, rows]) =>
  rows.map(([symbol, factor, ...names]) => ({
    dimension,
    symbol,
    factor,
    offset: offsets[symbol] ?? 0,
    names,
  })),
);

const spellings = (unit: Unit, names: readonly string[]): readonly (readonly [string, Unit])[] =>
  names.map((name) => [fold(name), unit]);

/** Symbols come last: `ms` is the millisecond, not the plural of the metre. */
const known: ReadonlyMap<string, Unit> = new Map([
  ...units.flatMap((unit) => spellings(unit, [...unit.names, ...unit.names.map(plural)])),
  ...units.flatMap((unit) => spellings(unit, [plural(unit.symbol)])),
  ...units.flatMap((unit) => spellings(unit, [unit.symbol])),
]);

/** Symbols that mean something else in the case they are written in: `Mb` is no `MB`, `Mg` no `mg`. */
const misleading = /^(?:[KMGTP]b|Mm|Mg|Ml|Ms)$/;

/** Why a unit cannot be told from its name; undefined where it can. */
export const ambiguityOf = (name: string): string | undefined =>
  misleading.test(name.trim()) ? `"${name.trim()}" can mean two units` : undefined;

/** The unit of a symbol or an English name, singular or plural, whatever its case. */
export const unitNamed = (name: string): Unit | undefined => known.get(fold(name));

/** The symbols of all units that convert into each other, or of all there are. */
export const symbolsOf = (dimension?: string): readonly string[] =>
  units.filter((unit) => dimension === undefined || unit.dimension === dimension).map(({ symbol }) => symbol);
