import { words } from "./words.ts";

const units = words(
  "mm cm dm m km um nm in inch inches ft foot feet yd yard yards mi mile miles meter meters metre",
  "metres kilometer kilometers kilometre kilometres centimeter centimeters centimetre centimetres",
  "millimeter millimeters nmi lightyear lightyears furlong mg g kg t gram grams kilo kilos kilogram",
  "kilograms tonne tonnes ton tons oz ounce ounces lb lbs pound pounds stone stones c f k celsius",
  "fahrenheit kelvin degc degf degrees ml cl dl l liter liters litre litres gal gallon gallons qt",
  "quart quarts pt pint pints cup cups tbsp tablespoon tablespoons tsp teaspoon teaspoons floz",
  "milliliter milliliters millilitre millilitres ms s sec secs second seconds min mins minute",
  "minutes h hr hrs hour hours day days week weeks month months year years bit bits byte bytes b kb",
  "mb gb tb pb kib mib gib tib mph kph kmh km/h m/s knot knots fps j kj cal kcal calories joule",
  "joules wh kwh w kw hp watt watts psi bar pa kpa atm hpa mmhg acre acres hectare hectares ha sqft",
  "sqm m2 km2 ft2 rad deg radian radians",
);

/** True for the name or sign of a unit of measurement. */
export const isUnit = (word: string): boolean => units.has(word.toLowerCase().replace(/^°/, ""));
