import { expect } from "chai";
import { formFault } from "../formats.ts";

const faultOf = (format: string | undefined, value: string) =>
  formFault({ key: "k", schema: { ...(format && { format }) }, value: "", from: "default" }, value)?.code;

describe("the forms of preferences", () => {
  for (const [format, value, code] of [
    ["time-zone", "system", undefined],
    ["time-zone", "America/New_York", undefined],
    ["time-zone", "Mars/Olympus", "invalid_value"],
    ["time-zone", "", "invalid_value"],
    ["language-tag", "", undefined],
    ["language-tag", "zh-Hant-TW", undefined],
    ["language-tag", "a b", "invalid_value"],
    ["grant-life", "1s", undefined],
    ["grant-life", "30d", undefined],
    ["grant-life", "720h", undefined],
    ["grant-life", "0m", "out_of_range"],
    ["grant-life", "43201m", "out_of_range"],
    [undefined, "anything", undefined],
  ] as const)
    it(`${format ?? "none"}: "${value}" is ${code ?? "right"}`, () => {
      expect(faultOf(format, value)).to.equal(code);
    });
});
