import { amount, defineFormula, format, invalidValue, plain, tooFewValues } from "./formula.ts";

const names = ["speed", "distance", "time"] as const;

function quotient(
  result: string,
  [above, dividend]: readonly [string, number],
  [below, divisor]: readonly [string, number],
) {
  if (divisor === 0) throw invalidValue(`The ${below} must not be 0.`);
  const value = plain(dividend / divisor);
  return {
    result: `${result} ${value}`,
    steps: [format`${result} = ${above} / ${below} = ${dividend} / ${divisor} = ${value}`],
  };
}

/** distance = speed × time, solved for the one that is missing; the units are the caller's. */
export const speedDistanceTime = defineFormula({
  name: "speed_distance_time",
  parameters: { speed: amount, distance: amount, time: amount },
  run(values) {
    if (names.filter((name) => values[name] !== undefined).length !== 2) {
      throw tooFewValues(
        "speed_distance_time takes two of its three values.",
        "Give any two of speed, distance and time.",
      );
    }
    const { speed = 0, distance = 0, time = 0 } = values;
    if (values.speed === undefined) return quotient("speed", ["distance", distance], ["time", time]);
    if (values.time === undefined) return quotient("time", ["distance", distance], ["speed", speed]);
    const way = plain(speed * time);
    return {
      result: `distance ${way}`,
      steps: [format`distance = speed × time = ${speed} × ${time} = ${way}`],
    };
  },
});
