import { expect } from "chai";
import { calculate } from "../operations/calculate.ts";
import { dataOf, failure } from "./failure.ts";

const values: Readonly<Record<string, string>> = {
  "1 + 2 * 3": "7",
  "(1 + 2) * 3": "9",
  "10 - 4 - 3": "3",
  "0.1 + 0.2": "0.3",
  "1 / 3": "0.333333333333333",
  "7 % 3": "1",
  "-7 % 3": "2",
  "2 ^ 10": "1024",
  "2 ** 10": "1024",
  "2 ^ 3 ^ 2": "512",
  "2 ^ -3 * 2": "0.25",
  "-2 ^ 2": "-4",
  "2 ^ 0.5": "1.4142135623731",
  "2^64": "18446744073709551616",
  "5!": "120",
  "-3!": "-6",
  "3!!": "720",
  "30!": "265252859812191058636308480000000",
  "100!": "9.33262154439442e+157",
  "15% of 80": "12",
  "100 / 15% of 80": "8.33333333333333",
  "50% of 20% of 80 + 2": "10",
  "(10 + 5)%of 80": "12",
  "sqrt(144)": "12",
  "cbrt(-27)": "-3",
  "abs(-2.5)": "2.5",
  "exp(1)": "2.71828182845905",
  "ln(e)": "1",
  "log10(1000)": "3",
  "log2(8)": "3",
  "log(8, 2)": "3",
  "floor(log(1000, 10))": "3",
  "log(81, 3)": "4",
  "sin(pi / 6)": "0.5",
  "sin(pi)": "0",
  "cos(pi / 2)": "0",
  "tan(pi / 4)": "1",
  "asin(1) * 2": "3.14159265358979",
  "acos(1)": "0",
  "atan(1) * 4": "3.14159265358979",
  "sinh(1)": "1.1752011936438",
  "cosh(0)": "1",
  "tanh(1)": "0.761594155955765",
  "round(2.5)": "3",
  "round(-2.5)": "-3",
  "round(1.005, 2)": "1.01",
  "round(1234, -2)": "1200",
  "floor(-1.5)": "-2",
  "ceil(-1.5)": "-1",
  "min(3, 1, 2)": "1",
  "max(3, 1, 2)": "3",
  "gcd(12, 18, 27)": "3",
  "lcm(4, 6, 10)": "60",
  "2 × 3 − 8 ÷ 4": "4",
  "SQRT(4) + PI": "5.14159265358979",
  "1.5e3 + .5": "1500.5",
  "1e-9": "1e-9",
  "0 * -1": "0",
};

describe("math_operations.calculate", () => {
  for (const [expression, value] of Object.entries(values)) {
    it(`works out ${expression}`, async () => {
      expect(await dataOf(calculate, { expression })).to.equal(`${expression} = ${value}`);
    });
  }

  for (const expression of [
    "1 / 0",
    "5 % 0",
    "sqrt(-1)",
    "ln(0)",
    "asin(2)",
    "log(1, 1)",
    "tan(pi / 2)",
    "(-8) ^ (1 / 3)",
    "0.5!",
    "(-1)!",
    "gcd(1.5, 2)",
    "sin(1e300)",
    "1e999999",
  ]) {
    it(`says that ${expression} has no value`, async () => {
      expect((await failure(calculate, { expression })).code).to.equal("invalid_value");
    });
  }

  for (const expression of [
    "2 +",
    "(1",
    "1)",
    "",
    "2(3)",
    "1.5.2",
    "1,000",
    "max(1,,2)",
    "max()",
    "log(100)",
    "sin",
    "10 + 5%",
    "2 3",
  ]) {
    it(`refuses ${JSON.stringify(expression)} as badly formed, and shows what may be written`, async () => {
      const { code, hint } = await failure(calculate, { expression });
      expect(code).to.equal("invalid_value");
      expect(hint).to.contain("15% of 80");
    });
  }

  it("says where an expression goes wrong", async () => {
    expect((await failure(calculate, { expression: "2 + * 3" })).message).to.equal(
      '"*" is not expected at character 5.',
    );
    expect((await failure(calculate, { expression: "2 + fog(3)" })).message).to.equal(
      'There is no function or constant "fog".',
    );
    expect((await failure(calculate, { expression: "1 + 2 = 3" })).message).to.contain("at character 6");
  });

  for (const expression of [
    "process.exit(1)",
    "globalThis",
    "constructor",
    "__proto__",
    "toString()",
    "import('node:fs')",
    "evaluate(1)",
    "parse(1)",
    "createUnit(1)",
    "simplify(1)",
    "derivative(1, 2)",
    "a = 1",
    "[1, 2]",
    "`1`",
    "1; 2",
    "1:9",
  ]) {
    it(`A27: takes ${expression} for no part of mathematics`, async () => {
      expect((await failure(calculate, { expression })).code).to.equal("invalid_value");
    });
  }

  for (const [name, expression] of Object.entries({
    "a deep nest": "(".repeat(500) + "1",
    "a row of signs": "-".repeat(999) + "1",
    "a tower of powers": "9^9^9^9^9^9",
    "a huge power": "1.000000000001^9007199254740991",
    "a huge factorial": "factorial(1e9) + 1e9!",
    "factorials of factorials": `9${"!".repeat(900)}`,
    "many large factorials": Array.from({ length: 160 }, () => "1700!").join("+"),
    "a long remainder": "1e5000 % 7e-4999",
    "a long divisor": "gcd(1e4999 + 1, 3 ^ 10000)",
    "many large powers": Array.from({ length: 100 }, () => "1.1^99999").join("+"),
  })) {
    it(`answers within 2 seconds to ${name}`, async () => {
      const begun = performance.now();
      await dataOf(calculate, { expression }).catch(() => undefined);
      expect(performance.now() - begun).to.be.below(2000);
    });
  }

  it("bounds the length of an expression in its schema", () => {
    expect(calculate.parameters["expression"]?.maxLength).to.equal(1000);
  });
});
