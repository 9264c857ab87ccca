import { expect } from "chai";
import { localTime } from "../../../core/cli/local-time.ts";

describe("a time for a person", () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env["TZ"];
    else process.env["TZ"] = TZ;
  });

  for (const [zone, text] of [
    ["UTC", "2026-01-31 09:05 +00:00"],
    ["Asia/Kolkata", "2026-01-31 14:35 +05:30"],
    ["America/St_Johns", "2026-01-31 05:35 -03:30"],
  ] as const)
    it(`names its zone: ${zone}`, () => {
      process.env["TZ"] = zone;
      expect(localTime("2026-01-31T09:05:59.000Z")).to.equal(text);
    });
});
