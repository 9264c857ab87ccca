import { amount, defineFormula, format, money, positive, tooFewValues } from "./formula.ts";

const litresPerGallon = 3.785411784;

/**
 * fuel = distance / economy; cost = fuel × price. Miles with mpg, kilometres with kpl; a price per the other
 * measure is converted (US gallon).
 */
export const fuelCost = defineFormula({
  name: "fuel_cost",
  aliases: ["gas_cost", "trip_cost"],
  parameters: {
    distance: amount,
    mpg: positive,
    kpl: positive,
    price_per_gallon: amount,
    price_per_liter: amount,
  },
  required: ["distance"],
  run({ distance, mpg, kpl, price_per_gallon, price_per_liter }) {
    const isMetric = kpl !== undefined;
    const economy = kpl ?? mpg;
    if (economy === undefined)
      throw tooFewValues("fuel_cost needs the fuel economy.", "Give mpg (miles) or kpl (kilometres).");
    const gallonPrice = price_per_gallon ?? (price_per_liter ?? NaN) * litresPerGallon;
    const litrePrice = price_per_liter ?? gallonPrice / litresPerGallon;
    if (Number.isNaN(gallonPrice))
      throw tooFewValues("fuel_cost needs a price.", "Give price_per_gallon or price_per_liter.");
    const [measure, way, price] = isMetric
      ? (["l", "km", litrePrice] as const)
      : (["gal", "mi", gallonPrice] as const);
    const fuel = distance / economy;
    return {
      result: format`cost ${money(fuel * price)}, fuel ${fuel} ${measure}`,
      steps: [
        format`fuel = ${distance} ${way} / ${economy} ${way} per ${measure} = ${fuel} ${measure}`,
        format`cost = ${fuel} ${measure} × ${price} = ${money(fuel * price)}`,
      ],
    };
  },
});
