import { amount, defineFormula, format } from "./formula.ts";

/** π·r²·h, and the whole surface 2·π·r·(r + h). */
export const volumeCylinder = defineFormula({
  name: "volume_cylinder",
  parameters: { radius: amount, height: amount },
  required: ["radius", "height"],
  run({ radius, height }) {
    const volume = Math.PI * radius ** 2 * height;
    const surface = 2 * Math.PI * radius * (radius + height);
    return {
      result: format`volume ${volume}, surface ${surface}`,
      steps: [
        format`volume = π × ${radius}² × ${height} = ${volume}`,
        format`surface = 2 × π × ${radius} × (${radius} + ${height}) = ${surface}`,
      ],
    };
  },
});
