import { money, plain } from "../plain.ts";
import { amount, defineFormula, positive, tooLittle } from "./formula.ts";

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
      throw tooLittle("fuel_cost needs the fuel economy.", "Give mpg (miles) or kpl (kilometres).");
    const perGallon =
      price_per_gallon ?? (price_per_liter === undefined ? undefined : price_per_liter * litresPerGallon);
    if (perGallon === undefined)
      throw tooLittle("fuel_cost needs a price.", "Give price_per_gallon or price_per_liter.");
    const price = isMetric ? (price_per_liter ?? perGallon / litresPerGallon) : perGallon;
    const fuel = distance / economy;
    const [measure, way] = isMetric ? ["l", "km"] : ["gal", "mi"];
    return {
      result: `cost ${money(fuel * price)}, fuel ${plain(fuel)} ${measure}`,
      steps: [
        `fuel = ${plain(distance)} ${way} / ${plain(economy)} ` +
          `${way} per ${measure} = ${plain(fuel)} ${measure}`,
        `cost = ${plain(fuel)} ${measure} × ${plain(price)} = ${money(fuel * price)}`,
      ],
    };
  },
});
