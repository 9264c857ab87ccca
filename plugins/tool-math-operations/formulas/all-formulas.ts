import { areaCircle } from "./area-circle.ts";
import { areaRectangle } from "./area-rectangle.ts";
import { bmi } from "./bmi.ts";
import { budget } from "./budget.ts";
import { compoundInterest } from "./compound-interest.ts";
import { cooking } from "./cooking.ts";
import { debtPayoff } from "./debt-payoff.ts";
import { debtStrategy } from "./debt-strategy.ts";
import { discount } from "./discount.ts";
import { type Formula } from "./formula.ts";
import { fuelCost } from "./fuel-cost.ts";
import { gpa } from "./gpa.ts";
import { inflation } from "./inflation.ts";
import { loanComparison } from "./loan-comparison.ts";
import { markup } from "./markup.ts";
import { mortgage } from "./mortgage.ts";
import { netWorth } from "./net-worth.ts";
import { paycheck } from "./paycheck.ts";
import { percentage } from "./percentage.ts";
import { retirement } from "./retirement.ts";
import { salesTax } from "./sales-tax.ts";
import { savingsGoal } from "./savings-goal.ts";
import { speedDistanceTime } from "./speed-distance-time.ts";
import { tip } from "./tip.ts";
import { volumeCylinder } from "./volume-cylinder.ts";

export const allFormulas: readonly Formula[] = [
  tip,
  mortgage,
  bmi,
  compoundInterest,
  percentage,
  markup,
  discount,
  areaCircle,
  areaRectangle,
  volumeCylinder,
  speedDistanceTime,
  salesTax,
  gpa,
  fuelCost,
  cooking,
  retirement,
  debtPayoff,
  debtStrategy,
  budget,
  loanComparison,
  savingsGoal,
  netWorth,
  paycheck,
  inflation,
];
